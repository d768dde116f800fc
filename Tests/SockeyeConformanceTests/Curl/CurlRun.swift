import Sockeye
import SockeyeCore
import SockeyeTesting

/// Runs a case and says what differs from what curl's authors expect.
struct CurlRun {
    let vector: CurlCase

    /// Error codes of curl, and which of ours are as good. What is not listed only has to fail.
    private static let codes: [Int: Set<SockeyeError.Code>] = [
        1: [.invalidURL, .malformedResponse, .redirectRefused],
        8: [.malformedResponse, .connectionClosed, .limitExceeded],
        22: [.unacceptableStatus], 47: [.limitExceeded], 18: [.connectionClosed], 28: [.timeout],
        52: [.connectionClosed],
        56: [.malformedResponse, .connectionClosed],
        60: [.tlsFailed], 61: [.malformedResponse, .badContentCoding], 63: [.limitExceeded, .malformedResponse],
    ]

    /// - Throws: ``CurlCommand/Unsupported``.
    func complaints() async throws -> [String] {
        // Failures of curl's own input and output, and of its globbing.
        guard vector.expect.errorcode.allSatisfy({ ![3, 4, 23, 26, 43].contains($0) }) else {
            throw CurlCommand.Unsupported(description: "exit code \(vector.expect.errorcode)")
        }
        guard !vector.features.contains("brotli") else { throw CurlCommand.Unsupported(description: "brotli") }
        guard vector.servers.count < 2 else { throw CurlCommand.Unsupported(description: "several servers") }
        guard vector.expect.protocol != nil || vector.expectsFailure else {
            throw CurlCommand.Unsupported(description: "no expected request")
        }
        let script = CurlServer(vector)
        let server = try await script.start()
        let path = server.port == 0 ? String(server.address.description.dropFirst("unix:".count)) : ""
        let variables = CurlCommand.Variables(
            host: vector.isOverIPv6 ? "[::1]" : "127.0.0.1", port: server.port, unixPath: path)
        let command = try CurlCommand(vector, variables)
        let client = try client(command, server)
        var complaints: [String] = []
        for (index, call) in command.calls.enumerated() {
            let isLast = index == command.calls.count - 1
            complaints += await judge(call, await send(call, client), isOnly: command.calls.count == 1, isLast: isLast)
        }
        if let expected = vector.expect.protocol?.bytes {
            complaints += compare(script.requests, with: expected, variables)
        }
        await server.stop()
        return complaints
    }

    private func client(_ command: CurlCommand, _ server: RawServer) throws -> HTTPClient {
        var configuration = HTTPClient.Configuration(
            tls: TLSOptions(roots: try CurlServer.roots), timeouts: Timeouts(total: .seconds(20)))
        // As curl, which asks nobody.
        configuration.allowsPlaintextCredentials = true
        if !command.verifiesServer { configuration.tls.verification = .none }
        for entry in command.overrides {
            let parts = entry.split(separator: ":")
            guard parts[0] != "*" else { throw CurlCommand.Unsupported(description: "--resolve *") }
            configuration.hostOverrides["\(parts[0]):\(parts[1])"] = [server.address]
        }
        if let proxy = try command.proxy.configuration { configuration.proxy = proxy }
        return HTTPClient(configuration: configuration)
    }

    private func send(_ call: CurlCommand.Call, _ client: HTTPClient) async -> ResponseOutcome {
        var body = OutgoingRequest.Body.none
        if let bytes = call.body {
            let chunks = AsyncStream<Bytes> { continuation in
                continuation.yield(bytes)
                continuation.finish()
            }
            body = call.isChunked ? .stream(chunks) : .bytes(bytes)
        }
        var outcome = ResponseOutcome()
        do throws(SockeyeError) {
            let method = HTTPRequest.Method(call.method ?? "GET") ?? .get
            let request = try OutgoingRequest(
                method: method, url: call.url, headers: call.headers, body: body, options: call.allOptions)
            let response = try await client.send(request)
            outcome.head = response
            if call.failsOnStatus { _ = try await response.validated() }
            outcome.body = try await response.bytes(upTo: call.limit ?? IncomingResponse.defaultCollectLimit)
        } catch {
            outcome.error = error
        }
        return outcome
    }

    private func judge(
        _ call: CurlCommand.Call, _ outcome: ResponseOutcome, isOnly: Bool, isLast: Bool
    ) async -> [String] {
        if vector.expectsFailure {
            guard isLast else { return [] }
            guard let error = outcome.error else { return ["no error, expected \(vector.expect.errorcode)"] }
            let allowed = vector.expect.errorcode.compactMap { Self.codes[$0] }
            return allowed.isEmpty || allowed.contains { $0.contains(error.code) } ? [] : ["another error: \(error)"]
        }
        if let error = outcome.error {
            // The first transfer of this one is meant to be cut short; curl's exit code is that of the last.
            let mayFail = !isLast && vector.name.contains("partial")
            return mayFail ? [] : ["failed: \(error)"]
        }
        let last = call.retries > 0 ? vector.section("data\(call.retries)") : nil
        guard isOnly, let raw = vector.visible ?? last ?? vector.section("data"),
            let expected = HTTPText.response(raw)
        else { return [] }
        if call.redirects.follows || vector.expectsChallenge { return compare(outcome, withLastOf: raw) }
        var complaints: [String] = []
        if outcome.head?.status.code != expected.status {
            complaints.append("status \(outcome.head?.status.code ?? 0) instead of \(expected.status ?? 0)")
        }
        if let body = body(expected, call), !isSame(body, outcome) {
            complaints.append("a body of \(outcome.body.count) bytes instead of \(body.count)")
        }
        return complaints
    }

    /// Compares with the last of several responses, which curl prints one after the other.
    private func compare(_ outcome: ResponseOutcome, withLastOf visible: Bytes) -> [String] {
        let text = String(decoding: visible, as: UTF8.self)
        guard let start = text.ranges(of: "HTTP/1.").last?.lowerBound,
            let last = HTTPText.response(Bytes(text[start...])), vector.visible != nil
        else { return [] }
        var complaints: [String] = []
        if outcome.head?.status.code != last.status {
            complaints.append("status \(outcome.head?.status.code ?? 0) instead of \(last.status ?? 0)")
        }
        if !isSame(last.body, outcome) {
            complaints.append("a body of \(outcome.body.count) bytes instead of \(last.body.count)")
        }
        return complaints
    }

    /// The body that the user should see; nil when the case does not tell.
    private func body(_ expected: HTTPText, _ call: CurlCommand.Call) -> [UInt8]? {
        if call.method == "HEAD" || [204, 304].contains(expected.status ?? 0) { return [] }
        if vector.visible != nil { return expected.body }
        if expected.isChunked || !expected.values("content-encoding").isEmpty { return nil }
        return expected.length.map { Array(expected.body.prefix($0)) } ?? expected.body
    }

    /// curl prints trailers behind the body.
    private func isSame(_ expected: [UInt8], _ outcome: ResponseOutcome) -> Bool {
        if outcome.body.elementsEqual(expected) { return true }
        return outcome.head?.trailers != nil && expected.starts(with: outcome.body)
    }

    // MARK: Requests

    /// The fields that say what is asked for; the rest of a head is each client's own.
    private static let compared = [
        "host", "range", "authorization", "proxy-authorization", "cookie", "content-length", "transfer-encoding",
        "expect", "accept",
    ]

    private func compare(
        _ requests: [HTTPText], with recording: Bytes, _ variables: CurlCommand.Variables
    ) -> [String] {
        // Where the client closed does not matter here.
        var bytes = Array(recording)
        while let mark = bytes.firstRange(of: Array("[DISCONNECT]\n".utf8)) { bytes.removeSubrange(mark) }
        let expected = HTTPText.requests(bytes, bodyIsHeldBack: vector.skippedBytes > 0)
        guard requests.count == expected.count else {
            return ["\(requests.count) requests instead of \(expected.count)"]
        }
        return zip(requests, expected).flatMap { seen, wanted in
            var complaints: [String] = []
            let line = variables.fill(wanted.start)
            if seen.start != line { complaints.append("'\(seen.start)' instead of '\(line)'") }
            // Where curl expects a challenge it holds the body back, which is its own way.
            let comparesBody = !vector.expectsChallenge || !wanted.body.isEmpty
            for name in Self.compared where name != "content-length" || comparesBody {
                let values = wanted.values(name).map(variables.fill).map(DigestText.comparable)
                let present = seen.values(name).map(DigestText.comparable)
                if present != values { complaints.append("\(name) \(present) instead of \(values)") }
            }
            if comparesBody, seen.body != wanted.body { complaints.append("another request body") }
            return complaints
        }
    }
}
