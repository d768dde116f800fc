import Sockeye
import SockeyeCore
import SockeyeNet
import SockeyeTestSupport
import SockeyeTesting
import Testing

@Suite("Uploads", .serialized, .timeLimit(.minutes(1)))
struct UploadTests {
    private struct ProducerError: Error {}

    /// A sequence with elements from a closure.
    private struct Chunks: AsyncSequence, AsyncIteratorProtocol, Sendable {
        var index = 0
        let produce: @Sendable (Int) async throws -> [UInt8]?

        init(_ produce: @escaping @Sendable (Int) async throws -> [UInt8]?) { self.produce = produce }

        func makeAsyncIterator() -> Chunks { self }
        mutating func next() async throws -> [UInt8]? {
            defer { index += 1 }
            return try await produce(index)
        }
    }

    @Test(
        "an upload whose producer throws fails with that error, and the server sees no complete request",
        arguments: [nil, 100])
    func producerThrows(length: Int?) async throws {
        let server = try FaultServer { peer in
            guard peer.index == 0 else { return try await wellBehavedScript(peer) }
            try await peer.connection.discardToEnd()
        }
        let client = HTTPClient()
        let body = OutgoingRequest.Body.stream(
            Chunks { index in
                if index == 3 { throw ProducerError() }
                return [1, 2, 3]
            }, length: length)
        let error = await failure { _ = try await client.post(server.url(), .body(body)) }
        #expect(error?.code == .bodyFailed)
        #expect(error?.phase == .send)
        #expect(error?.blame == .caller)
        #expect(error?.underlying is ProducerError)
        #expect(try await client.get(server.url()).text() == "ok")
        await client.expectAtRest()
    }

    @Test(
        "an upload of another length than declared fails and closes its connection",
        arguments: [(2, "6 bytes"), (100, "30 bytes")])
    func wrongLength(declared: Int, seen: String) async throws {
        let server = try FaultServer { peer in
            guard peer.index == 0 else { return try await wellBehavedScript(peer) }
            try await peer.connection.discardToEnd()
        }
        let client = HTTPClient()
        let chunk = declared == 2 ? 6 : 10
        let body = OutgoingRequest.Body.stream(
            Chunks { $0 < 3 ? Array(repeating: 1, count: chunk) : nil }, length: declared)
        let error = await failure { _ = try await client.post(server.url(), .body(body)) }
        #expect(error?.code == .bodyLengthMismatch)
        #expect(error?.limit?.configured == "\(declared) bytes")
        #expect(error?.limit?.seen == seen)
        #expect(try await client.get(server.url()).text() == "ok")
        await client.expectAtRest()
    }

    @Test(
        "an upload that is refused early delivers the answer and stops a producer that never yields",
        arguments: [404, 503])
    func earlyRefusal(status: Int) async throws {
        let (asked, stopped) = (TestSignal(), TestSignal())
        let server = try FaultServer { peer in
            _ = try await peer.connection.read(through: "\r\n\r\n")
            // A producer that has not been called yet has nothing to stop.
            try await asked.wait()
            try await peer.connection.write("HTTP/1.1 \(status) No\r\nContent-Length: 2\r\n\r\nno")
            try await peer.connection.discardToEnd()
        }
        let client = HTTPClient()
        let body = OutgoingRequest.Body.stream(
            Chunks { _ in
                let never = TestSignal()
                asked.fire()
                do { try await never.wait() } catch { stopped.fire() }
                return nil
            })
        let response = try await client.post(server.url(), .body(body))
        #expect(response.status.code == status)
        #expect(try await response.text() == "no")
        try await stopped.wait()
        await client.expectAtRest()
        await eventually("a closed connection") { server.open == 0 }
    }

    @Test(
        "an upload of 100 MiB in memory gets the answer of a server that refuses and closes",
        arguments: [false, true], [false, true])
    func refusedAndClosed(overTLS: Bool, resets: Bool) async throws {
        let server = try FaultServer(tls: overTLS ? try Credentials.server() : nil) { peer in
            _ = try await peer.connection.read(exactly: 200_000)
            try await peer.connection.write(
                "HTTP/1.1 413 Content Too Large\r\nContent-Length: 7\r\nConnection: close\r\n\r\ntoo big")
            // Closing with unread bytes makes the kernel send a reset; reading them first makes it an orderly end.
            if !resets {
                try await peer.connection.closeWrite()
                _ = try await peer.connection.discardToEnd()
            }
        }
        let client = HTTPClient(configuration: try Credentials.configuration())
        let body = OutgoingRequest.Body.bytes(Large.body)
        for _ in 0..<5 {
            let response = try await client.post(server.url(), .body(body))
            #expect(response.status.code == 413)
            #expect(try await response.text() == "too big")
        }
        await client.expectAtRest()
        await eventually("closed connections") { server.open == 0 }
    }

    @Test("an upload continues after an early success", arguments: [false, true])
    func earlySuccess(overTLS: Bool) async throws {
        let server = try FaultServer(tls: overTLS ? try Credentials.server() : nil) { peer in
            _ = try await peer.connection.read(through: "\r\n\r\n")
            try await peer.connection.write("HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n")
            _ = try await peer.connection.read(exactly: 8 << 20)
            try await peer.connection.write("all got")
            try await peer.connection.discardToEnd()
        }
        let client = HTTPClient(configuration: try Credentials.configuration())
        let response = try await client.post(server.url(), .bytes(Large.body(8 << 20)))
        #expect(try await response.text() == "all got")
        await client.expectAtRest()
        #expect(client.pool?.statistics.idle == 1, "request and response are complete, so the connection is reusable")
    }

    @Test(
        "the call fails if its body fails after an early success, at once or later", arguments: [0, 3, 100_000],
        [nil, 200_000])
    func failureUnderSuccess(index: Int, length: Int?) async throws {
        let answered = TestSignal()
        let server = try FaultServer { peer in
            guard peer.index == 0 else { return try await wellBehavedScript(peer) }
            _ = try await peer.connection.read(through: "\r\n\r\n")
            try await peer.connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            answered.fire()
            try await peer.connection.discardToEnd()
        }
        // On a clock that stands still no deadline passes.
        let client = HTTPClient(configuration: .init(), clock: ManualClock())
        let body = OutgoingRequest.Body.stream(
            Chunks { next in
                if next == min(index, 3) {
                    try await answered.wait()
                    if index > 3 { for _ in 0..<1000 { await Task.yield() } }
                    throw ProducerError()
                }
                return [1, 2, 3]
            }, length: length)
        let error = await failure { _ = try await client.post(server.url(), .body(body)) }
        #expect(error?.code == .bodyFailed)
        #expect(error?.underlying is ProducerError)
        #expect(try await client.get(server.url()).text() == "ok")
        await client.expectAtRest()
    }

    @Test("an upload and its answer run at the same time, chunk by chunk", arguments: [false, true])
    func fullDuplex(overTLS: Bool) async throws {
        let server = try FaultServer(tls: overTLS ? try Credentials.server() : nil) { peer in
            _ = try await peer.connection.read(through: "\r\n\r\n")
            try await peer.connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            for _ in 0..<50 {
                let line = try await peer.connection.read(through: "\r\n")
                let data = try await peer.connection.read(through: "\r\n")
                if let line, let data {
                    try await peer.connection.write(line)
                    try await peer.connection.write(data)
                }
            }
            _ = try await peer.connection.read(through: "0\r\n\r\n")
            try await peer.connection.write("0\r\n\r\n")
            try await wellBehavedScript(peer)
        }
        let client = HTTPClient(configuration: try Credentials.configuration())
        let gate = Gate()
        let body = OutgoingRequest.Body.stream(
            Chunks { index in
                guard index < 50 else { return nil }
                try await gate.wait(for: index)
                return Array("chunk \(index)".utf8)
            })
        let response = try await client.post(server.url(), .body(body))
        var count = 0
        for try await piece in response.body {
            #expect(String(decoding: piece, as: UTF8.self) == "chunk \(count)")
            count += 1
            gate.open(count)
        }
        #expect(count == 50)
        #expect(try await client.get(server.url()).text() == "ok")
        #expect(server.connections == 1)
    }

    /// A gate that lets the producer send piece `index` only after the echo of the previous one.
    private final class Gate: Sendable {
        private let signals = (0...50).map { _ in TestSignal() }
        init() { signals[0].fire() }
        func wait(for index: Int) async throws { try await signals[index].wait() }
        func open(_ index: Int) { signals[index].fire() }
    }

    @Test("an upload may have empty pieces and trailers")
    func emptyPiecesAndTrailers() async throws {
        try await withTestServer { request in
            let text = try await request.text()
            return .ok(text + "|" + (request.trailers.first?.value ?? ""))
        } run: { server in
            let body = OutgoingRequest.Body.stream(Chunks { $0 < 9 ? ($0 % 3 == 1 ? [UInt8(ascii: "x")] : []) : nil })
                .trailers { ["X-Sum": "3"] }
            let response = try await HTTPClient().post(server.url(), .body(body))
            #expect(try await response.text() == "xxx|3")
        }
    }
}
