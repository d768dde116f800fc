import Foundation
import Sockeye
import Testing

/// HTTP/1.0 with the server of Python's standard library.
@Suite(
    "Python's HTTP/1.0 server", .enabled(if: Program.python != nil, "python3 is not installed"),
    .timeLimit(.minutes(1)))
struct OldServerTests {
    private static let shared = Result { try PythonServer.start(Program.python ?? "", script: "old_server.py") }
    let client = HTTPClient()
    private let origin: String

    init() throws {
        origin = try "http://127.0.0.1:" + Self.shared.get().greeting
    }

    @Test("the client reads bodies up to the end of the connection", arguments: [("/large", 1_000_000), ("/empty", 0)])
    func readsUntilClose(path: String, count: Int) async throws {
        let response = try await client.get(origin + path)
        #expect(response.minorVersion == 0)
        #expect(response.body.expectedLength == nil)
        #expect(try await response.bytes().count == count)
        #expect(client.pool?.statistics.idle == 0)
    }

    @Test("the client sends HTTP/1.1 and uses each connection once")
    func usesConnectionOnce() async throws {
        var answers: Set<String> = []
        for _ in 0..<3 { answers.insert(try await client.get(origin + "/length").text()) }
        #expect(answers.count == 3)
        #expect(answers.allSatisfy { $0.hasPrefix("HTTP/1.1 from ") })
        #expect(client.pool?.statistics.created == 3)
    }

    @Test("the client succeeds if a server closes a connection that it promised to keep")
    func keepsConnection() async throws {
        for _ in 0..<3 { #expect(try await client.get(origin + "/keep").text().hasPrefix("HTTP/1.1")) }
        #expect(client.pool?.statistics.leased == 0)
    }

    @Test("a stopped server no longer accepts connections")
    func cleansUp() async throws {
        let server = try PythonServer.start(Program.python ?? "", script: "old_server.py")
        let port = try #require(Int(server.greeting))
        #expect(try await client.get("http://127.0.0.1:\(port)/empty").bytes().isEmpty)
        server.stop()
        #expect(FreePorts.isFree(port))
    }

    @Test("the client waits for no body after HEAD")
    func sendsHead() async throws {
        let response = try await client.head(origin + "/empty")
        #expect(try await response.bytes().isEmpty)
    }

    @Test("the client sends a body whose length is known")
    func posts() async throws {
        let content = RandomBytes.make(300_000)
        #expect(try await client.post(origin, .bytes(content)).text() == "300000 bytes")
    }

    @Test("the client reports a body that is cut short")
    func isCutShort() async throws {
        let client = client
        let url = origin + "/short"
        let error = await #expect(throws: SockeyeError.self) { try await client.get(url).bytes() }
        #expect(error?.code == .connectionClosed)
        #expect(error?.phase == .body)
    }
}
