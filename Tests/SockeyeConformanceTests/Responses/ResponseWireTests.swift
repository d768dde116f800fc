import HTTPTypes
import Sockeye
import SockeyeTestSupport
import SockeyeTesting
import Testing

/// The test vectors of responses: a server sends each response over a socket, and a client reads it.
@Suite(.serialized) struct ResponseWireTests {
    /// One case sent in one way.
    private struct Trial: Sendable {
        let vector: ResponseCase
        let cutting: Cutting
    }

    @Test("a response that is sent in one piece is delivered or refused as the case says", .timeLimit(.minutes(1)))
    func whole() async throws {
        try await run(ResponseCase.all.map { Trial(vector: $0, cutting: .whole) })
    }

    @Test("a response that is sent byte by byte is delivered or refused as the case says", .timeLimit(.minutes(1)))
    func byteByByte() async throws {
        try await run(ResponseCase.all.map { Trial(vector: $0, cutting: .byteByByte) })
    }

    /// `ResponseVectorTests` cuts the same responses at every index, without sockets.
    @Test(
        "a response that is cut in two, at line ends or elsewhere, is delivered or refused as the case says",
        .timeLimit(.minutes(5)))
    func twoPieces() async throws {
        var random = SplitMix(seed: 1)
        let trials = ResponseCase.all.flatMap { vector in
            Cutting.halves(around: Array(vector.wire.bytes), &random).map { Trial(vector: vector, cutting: $0) }
        }
        try await run(trials)
    }

    /// Runs the trials with one server. After each trial, once the server has sent all bytes of the case, the same
    /// client sends a plain request. The client could not distinguish bytes that arrive after its last check from an
    /// answer.
    private func run(_ trials: [Trial]) async throws {
        let server = try await CaseServer(count: trials.count) { key, connection in
            try await trials[key].cutting.send(trials[key].vector.wire.bytes, over: connection)
        }
        try await concurrently(trials.count, making: Self.makeClient) { key, client in
            let trial = trials[key]
            let outcome = try await Self.outcome(of: trial.vector, key: key, server, client)
            try await server.waitUntilAnswered(key)
            var complaints = trial.vector.complaints(about: outcome)
            if let complaint = await client.complaint(afterwards: server, number: key) { complaints.append(complaint) }
            for complaint in complaints { Issue.record("\(trial.vector.id), \(trial.cutting): \(complaint)") }
        }
        await server.stop()
    }

    /// Makes a client that leaves codings alone, because these cases are about messages.
    private static func makeClient() -> HTTPClient {
        var configuration = HTTPClient.Configuration()
        configuration.timeouts.total = .seconds(15)
        configuration.decompresses = false
        return HTTPClient(configuration: configuration).adding(.redirects(.manual))
    }

    private static func outcome(
        of vector: ResponseCase, key: Int, _ server: CaseServer, _ client: HTTPClient
    ) async throws -> ResponseOutcome {
        let method = try #require(HTTPRequest.Method(vector.method))
        let headers = CaseServer.fields(for: key)
        if method == .connect { return await .ofTunnel(to: server.url(), headers: headers, with: client) }
        return await .of(try OutgoingRequest(method: method, url: server.url("/case"), headers: headers), with: client)
    }
}
