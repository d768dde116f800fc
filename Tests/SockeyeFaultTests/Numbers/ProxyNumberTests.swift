import Sockeye
import SockeyeCore
import SockeyeTesting
import Testing

@Suite("Extreme numbers in the answers of proxies", .serialized, .timeLimit(.minutes(2)))
struct ProxyNumberTests {
    private func run(_ proxy: String, _ url: String, _ what: String) async throws {
        let proxy = try Proxy(proxy)
        let client = NumberScene.client { $0.proxy = .through(proxy) }
        do { _ = try await client.get(url).bytes() } catch {
            #expect(error.code != .timeout, "\(what): \(error)")
        }
    }

    @Test("a tunnel whose proxy answers with an extreme length ends with an error")
    func tunnel() async throws {
        let statuses = ["200 OK", "407 Proxy Authentication Required", "502 Bad Gateway", "103 Early Hints"]
        let heads = ExtremeNumber.decimal.flatMap { number in
            statuses.flatMap { status in
                ["Content-Length: \(number)", "Transfer-Encoding: chunked\r\nContent-Length: \(number)"].map {
                    "HTTP/1.1 \(status)\r\nProxy-Authenticate: Basic realm=a\r\n\($0)\r\n\r\nnothing of TLS"
                }
            }
        }
        let server = try await RawServer.start { [.readRequestHead, .send(heads[$0 % heads.count]), .close] }
        for head in heads { try await run("http://127.0.0.1:\(server.port)", "https://127.0.0.1:9/", head) }
        await server.stop()
    }

    @Test("a SOCKS reply with any length and type of address ends with an error or a tunnel")
    func socks() async throws {
        let lengths: [UInt8] = [0, 1, 127, 128, 254, 255]
        let replies = lengths.flatMap { length in
            ([0, 1, 3, 4, 5, 255] as [UInt8]).map { type in
                Bytes([5, 0, 0, type, length] + [UInt8](repeating: length, count: Int(length) + 2))
            }
        }
        let server = try await RawServer.start { index in
            [.readBytes(3), .send(Bytes([5, 0])), .readBytes(10), .send(replies[index % replies.count]), .close]
        }
        for reply in replies {
            try await run("socks5://127.0.0.1:\(server.port)", "http://10.0.0.1/", "\(Array(reply.prefix(5)))")
        }
        await server.stop()
    }
}
