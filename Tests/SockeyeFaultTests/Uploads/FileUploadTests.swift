import Sockeye
import SockeyeCore
import SockeyeNet
import SockeyeStreams
import SockeyeTestSupport
import SockeyeTesting
import Synchronization
import Testing

@Suite("Uploads of files", .serialized, .timeLimit(.minutes(1)))
struct FileUploadTests {
    /// A route by which a file reaches a server.
    enum Route: CaseIterable {
        case tcp, unix, tls

        func server(_ respond: @escaping @Sendable (TestRequest) async throws -> TestServerResponse) async throws
            -> TestServer
        {
            switch self {
            case .tcp: try await .start(handler: respond)
            case .unix: try await .start(on: .temporaryUnixSocket, handler: respond)
            case .tls: try await .start(tls: TestTLS(try Credentials.authority.get()), handler: respond)
            }
        }
    }

    @Test("a file of any size arrives byte for byte", arguments: Route.allCases, [0, 1, 65_536, 1 << 20, 9_000_001])
    func content(route: Route, count: Int) async throws {
        let file = try SentFile(pattern: count)
        let server = try await route.server { request in
            var position = 0
            for try await piece in request.body {
                guard TestPattern.matches(piece, at: position) else { return .status(400) }
                position += piece.count
            }
            return .ok("\(position) \(request["Content-Length"] ?? "-")")
        }
        let client = HTTPClient(configuration: try Credentials.configuration())
        let progress = Shared<[Int]>([])
        var options = OutgoingRequest.Options()
        options.onBodyProgress = { total in progress.value.withLock { $0.append(total) } }
        if route == .unix { options.unixSocketPath = String(server.address.description.dropFirst("unix:".count)) }
        let url = route == .unix ? "http://unix/" : server.url()
        // The second upload uses the same connection, so the first one ended at the right byte.
        for _ in 0..<2 {
            let response = try await client.put(url, .body(file.body()), options: options)
            #expect(try await response.text() == "\(count) \(count)")
        }
        #expect(server.activity.connections == 1)
        let totals = progress.value.withLock { $0 }
        #expect(totals.last == (count == 0 ? nil : count))
        #expect(
            totals.filter { $0 == count }.count == (count == 0 ? 0 : 2),
            "the end of the body and of the request are reported once each")
    }

    @Test("a file with trailers is sent chunked")
    func trailers() async throws {
        let file = try SentFile(pattern: 600_000)
        let server = try await TestServer.start { request in
            let body = try await request.body.collect()
            return .ok("\(TestPattern.matches(body, at: 0)) \(body.count) \(request.trailers["X-Sum"] ?? "-")")
        }
        let body = try file.body().trailers { ["X-Sum": "1"] }
        #expect(try await HTTPClient().put(server.url(), .body(body)).text() == "true 600000 1")
    }

    /// Returns a form of unknown length, which is sent chunked.
    private func form(of file: SentFile) throws -> MultipartForm {
        var form = try MultipartForm(boundary: "b")
        form.stream("s", AsyncStream<[UInt8]> { $0.finish() })
        try form.file("f", at: file.path, filename: "f")
        return form
    }

    @Test(
        "a file in a form of unknown length arrives byte for byte", arguments: Route.allCases,
        [0, 262_144, (4 << 20) + 1])
    func chunkedForm(route: Route, count: Int) async throws {
        let file = try SentFile(pattern: count)
        let server = try await route.server { request in
            let type = request["Content-Type"] ?? ""
            let body = try await request.body.collect(upTo: 64 << 20)
            let response = IncomingResponse(
                status: .ok, headers: [.contentType: type], body: body, url: try HTTPURL("http://x/"))
            var texts = [request["Transfer-Encoding"] ?? "-"]
            for try await part in try response.parts() {
                let content = try await part.bytes(upTo: 64 << 20)
                texts.append("\(part.name ?? "-") \(content.count) \(TestPattern.matches(content, at: 0))")
            }
            return .ok(texts.joined(separator: " "))
        }
        let client = HTTPClient(configuration: try Credentials.configuration())
        let progress = Shared(0)
        var options = OutgoingRequest.Options()
        options.onBodyProgress = { total in progress.value.withLock { $0 = total } }
        if route == .unix { options.unixSocketPath = String(server.address.description.dropFirst("unix:".count)) }
        var request = try OutgoingRequest(
            method: .put, url: route == .unix ? "http://unix/" : server.url(), options: options)
        try request.setBody(try form(of: file))
        let text = try await client.send(request).text()
        #expect(text == "chunked s 0 true f \(count) true")
        let around = 2 * "\r\n--b\r\nContent-Disposition: form-data; name=\"s\"\r\n\r\n".utf8.count
        #expect(progress.value.withLock { $0 } > count + around)
    }

    @Test(
        "if a file in a form of unknown length shrinks, the request fails, and the body has no last chunk",
        arguments: [Route.tcp, .tls])
    func shrinksInForm(route: Route) async throws {
        let file = try SentFile(count: 60 << 20)
        let end = Shared<[UInt8]>([])
        let server = try FaultServer(tls: route == .tls ? try Credentials.server() : nil) { peer in
            _ = try await peer.connection.read(through: "\r\n\r\n")
            _ = try await peer.connection.read(exactly: 300_000)
            try file.resize(to: 400_000)
            while let piece = try await peer.connection.read() {
                end.value.withLock { $0 = Array(($0 + piece).suffix(16)) }
            }
        }
        let client = HTTPClient(configuration: try Credentials.configuration())
        var request = try OutgoingRequest(method: .put, url: server.url())
        try request.setBody(try form(of: file))
        let (sent, address) = (request, server)
        let error = await failure { _ = try await client.send(sent) }
        #expect(error?.code == .bodyLengthMismatch)
        await client.expectAtRest()
        await eventually("a closed connection") { address.open == 0 }
        #expect(!end.value.withLock { String(decoding: $0, as: UTF8.self) }.hasSuffix("0\r\n\r\n"))
    }

    @Test("an upload sends only the announced bytes of a file that has grown")
    func grown() async throws {
        let file = try SentFile(pattern: 1000)
        let server = try await TestServer.start { request in .ok("\(try await request.body.collect().count)") }
        let client = HTTPClient()
        let body = try file.body()
        try file.resize(to: 5_000_000)
        for _ in 0..<2 { #expect(try await client.put(server.url(), .body(body)).text() == "1000") }
        #expect(server.activity.connections == 1)
    }

    /// Returns a server that reads a little of the first upload, runs `interruption`, and reads the rest.
    private func interrupted(
        over route: Route, _ interruption: @escaping @Sendable (FaultServer.Peer) async throws -> Void
    ) throws -> FaultServer {
        try FaultServer(tls: route == .tls ? try Credentials.server() : nil) { peer in
            guard peer.index == 0 else { return try await wellBehavedScript(peer) }
            _ = try await peer.connection.read(exactly: 300_000)
            try await interruption(peer)
            try await peer.connection.discardToEnd()
        }
    }

    @Test(
        "if a file shrinks during its upload, the request fails, and no other bytes replace the missing ones",
        arguments: [Route.tcp, .tls])
    func shrinks(route: Route) async throws {
        let file = try SentFile(count: 60 << 20)
        let received = Shared(0)
        let server = try FaultServer(tls: route == .tls ? try Credentials.server() : nil) { peer in
            guard peer.index == 0 else { return try await wellBehavedScript(peer) }
            _ = try await peer.connection.read(through: "\r\n\r\n")
            _ = try await peer.connection.read(exactly: 300_000)
            try file.resize(to: 400_000)
            let rest = try await peer.connection.discardToEnd()
            received.value.withLock { $0 = rest }
        }
        let client = HTTPClient(configuration: try Credentials.configuration())
        let error = await failure { _ = try await client.put(server.url(), .body(file.body())) }
        #expect(error?.code == .bodyLengthMismatch)
        #expect(error?.phase == .send)
        #expect(error?.blame == .caller)
        #expect(error?.limit?.configured == "\(60 << 20) bytes")
        #expect(try await client.get(server.url()).text() == "ok")
        await client.expectAtRest()
        #expect(received.value.withLock { $0 } < 60 << 20)
    }

    @Test("an upload fails if its file is gone or became a pipe without a writer", arguments: [false, true])
    func vanished(isPipe: Bool) async throws {
        let file = try SentFile(pattern: 1000)
        let server = try FaultServer { peer in
            guard peer.index == 0 else { return try await wellBehavedScript(peer) }
            try await peer.connection.discardToEnd()
        }
        let client = HTTPClient()
        let body = try file.body()
        if isPipe { try file.becomePipe() } else { try file.remove() }
        let error = await failure { _ = try await client.put(server.url(), .body(body)) }
        #expect(error?.code == .bodyFailed)
        #expect(error?.message.contains(file.path) == true)
        #expect(throws: SockeyeError.self, "the file cannot become a body again") { try file.body() }
        #expect(try await client.get(server.url()).text() == "ok")
        await client.expectAtRest()
    }

    @Test("an upload that is refused in the middle ends at once and delivers the answer", arguments: [Route.tcp, .tls])
    func refused(route: Route) async throws {
        let file = try SentFile(count: 200 << 20)
        let answered = TestSignal()
        let server = try interrupted(over: route) { peer in
            try await peer.connection.write("HTTP/1.1 413 Content Too Large\r\nContent-Length: 7\r\n\r\ntoo big")
            // Otherwise a client that reads answers late may have sent the whole file by then.
            try await answered.wait()
        }
        let client = HTTPClient(configuration: try Credentials.configuration())
        let sent = Shared(0)
        var options = OutgoingRequest.Options()
        options.onBodyProgress = { total in sent.value.withLock { $0 = total } }
        let response = try await client.put(server.url(), .body(file.body()), options: options)
        answered.fire()
        #expect(response.status.code == 413)
        #expect(try await response.text() == "too big")
        #expect(sent.value.withLock { $0 } < 200 << 20)
        #expect(try await client.get(server.url()).text() == "ok")
        await client.expectAtRest()
    }

    @Test("an upload whose connection is reset fails with connectionClosed", arguments: [Route.tcp, .tls])
    func reset(route: Route) async throws {
        let file = try SentFile(count: 200 << 20)
        let server = try interrupted(over: route) { peer in peer.connection.reset() }
        let client = HTTPClient(configuration: try Credentials.configuration())
        let error = await failure { _ = try await client.put(server.url(), .body(file.body())) }
        #expect(error?.code == .connectionClosed, "\(String(describing: error))")
        #expect(try await client.get(server.url()).text() == "ok")
        await client.expectAtRest()
    }

    @Test("an upload starts again if a reused connection turns out to be closed", arguments: [Route.tcp, .tls])
    func replay(route: Route) async throws {
        let file = try SentFile(pattern: 3_000_000)
        let server = try FaultServer(tls: route == .tls ? try Credentials.server() : nil) { peer in
            let connection = peer.connection
            while let head = try await connection.read(through: "\r\n\r\n") {
                if !String(decoding: head, as: UTF8.self).hasPrefix("PUT") {
                    try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
                    continue
                }
                // The first part of the body is lost with the first connection.
                if peer.index == 0 { return connection.reset() }
                let isWhole = TestPattern.matches(try await connection.read(exactly: 3_000_000), at: 0)
                try await connection.write("HTTP/1.1 \(isWhole ? 200 : 400) x\r\nContent-Length: 0\r\n\r\n")
            }
        }
        let client = HTTPClient(configuration: try Credentials.configuration())
        #expect(try await client.get(server.url()).status == .ok)
        #expect(try await client.put(server.url(), .body(file.body())).status == .ok)
        #expect(server.connections == 2)
        await client.expectAtRest()
    }

    @Test("a file that reports no size but has content, as in /proc, is sent chunked")
    func unsized() async throws {
        let server = try await TestServer.start { request in
            .ok("\(request["Transfer-Encoding"] ?? "-") \(try await request.text().hasPrefix("Name:"))")
        }
        let response = try await HTTPClient().put(server.url(), .file("/proc/self/status"))
        #expect(try await response.text() == "chunked true")
    }
}
