import Sockeye
import SockeyeCore
import SockeyeTesting
import Testing

@Suite("Requests through SOCKS 5")
struct SOCKSTests {
    private static let granted = Bytes([5, 0, 0, 1, 0, 0, 0, 0, 0, 0])
    private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    @Test("The proxy resolves the name, and the origin gets nothing of the proxy", .timeLimit(.minutes(1)))
    func anonymous() async throws {
        let proxy = try await RawServer.start(script: [
            .readBytes(3), .send(Bytes([5, 0])), .readBytes(4 + 1 + 12 + 2), .send(Self.granted), .readRequestHead,
            .send(Self.answer), .readRequestHead, .send(Self.answer),
        ])
        let client = HTTPClient(configuration: .init(proxy: .socks5("127.0.0.1:\(proxy.port)")))
        for _ in 0..<2 { #expect(try await client.get("http://nowhere.test:81/a").text() == "ok") }
        let greetings: [UInt8] = [5, 1, 0, 5, 1, 0, 3, 12] + Array("nowhere.test".utf8) + [0, 81]
        let received = proxy.received()
        #expect(Array(received.prefix(greetings.count)) == greetings)
        let request = String(decoding: received.dropFirst(greetings.count), as: UTF8.self)
        #expect(request.hasPrefix("GET /a HTTP/1.1\r\nHost: nowhere.test:81\r\n"))
        #expect(proxy.connectionCount == 1)
        await proxy.stop()
    }

    @Test("User name and password go to the proxy alone", .timeLimit(.minutes(1)))
    func password() async throws {
        let proxy = try await RawServer.start(script: [
            .readBytes(4), .send(Bytes([5, 2])), .readBytes(3 + 2 + 6), .send(Bytes([1, 0])), .readBytes(10),
            .send(Self.granted), .readRequestHead, .send(Self.answer),
        ])
        let client = HTTPClient(configuration: .init(proxy: .socks5("socks5://me:s3cret@127.0.0.1:\(proxy.port)")))
        #expect(try await client.get("http://10.0.0.1/").text() == "ok")
        let login: [UInt8] = [1, 2] + Array("me".utf8) + [6] + Array("s3cret".utf8)
        #expect(Array(proxy.received().dropFirst(4).prefix(login.count)) == login)
        #expect(proxy.receivedText().components(of: "s3cret") == 1)
        await proxy.stop()
    }

    static let refusals: [(String, [[UInt8]], String)] = [
        ("a password is asked for", [[5, 0xFF]], "asks for credentials"),
        ("another protocol", [[0x48, 0x54]], "SOCKS 5"),
        ("the host is unreachable", [[5, 0], [5, 4, 0, 1, 0, 0, 0, 0, 0, 0]], "unreachable"),
        ("closed at once", [], "closed"), ("closed amid", [[5, 0], [5]], "closed"),
    ]

    @Test("What the proxy refuses is an error that says so", .timeLimit(.minutes(1)), arguments: refusals)
    func refusal(what: String, replies: [[UInt8]], text: String) async throws {
        let steps = zip([RawStep.readBytes(3), .readBytes(19)], replies).flatMap { [$0, .send(Bytes($1))] }
        let proxy = try await RawServer.start(script: replies.isEmpty ? [.readBytes(3)] : steps)
        let client = HTTPClient(configuration: .init(proxy: .socks5("127.0.0.1:\(proxy.port)")))
        let error = await #expect(throws: SockeyeError.self) { try await client.get("http://nowhere.test/") }
        #expect(error?.code == .proxyFailed && error?.phase == .connect, "\(what): \(error as Any)")
        #expect(error?.message.contains(text) == true, "\(what): \(error as Any)")
        await proxy.stop()
    }
}

extension String {
    fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}
