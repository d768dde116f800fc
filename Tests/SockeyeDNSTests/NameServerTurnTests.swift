#if AsyncDNS
import Glibc
import SockeyeDNS
import SockeyePlatform
import SockeyeTestSupport
import Synchronization
import Testing

/// Name servers that send more messages than one call of a channel reads.
@Suite("Turns of a channel to name servers", .timeLimit(.minutes(1)))
struct NameServerTurnTests {
    /// The most reads of one call.
    private static let readLimit = 256

    /// Answers the first question over UDP or TCP with many messages for another question. Later questions get no
    /// answer.
    ///
    /// - Parameter isStream: True to have the questions repeated over TCP.
    private static func server(count: Int, isStream: Bool) throws -> TestNameServer {
        let hasFlooded = Atomic(false)
        return try TestNameServer { question in
            guard question.isStream == isStream else { return [.send(question.reply(isTruncated: true))] }
            guard !hasFlooded.exchange(true, ordering: .relaxed) else { return [] }
            let reply = question.reply(id: question.id &+ 7)
            return Array(repeating: .send(reply), count: count)
        }
    }

    /// Asks the server for a name. Returns the channel and its socket.
    private func ask(_ server: TestNameServer) throws -> (NameServerChannel, Int32) {
        var settings = NameServerChannel.Settings()
        settings.servers = ["127.0.0.1:\(server.port)"]
        settings.searchDomains = []
        settings.milliseconds = 60_000
        settings.path = "/nonexistent/resolv.conf"
        let channel = try NameServerChannel(settings)
        channel.query(for: "a.test", as: 1)
        return (channel, try #require(channel.takeEvents().opened.first).socket)
    }

    @Test("a call reads at most 256 datagrams, and the next call reads the rest")
    func datagrams() async throws {
        let server = try Self.server(count: Self.readLimit + 20, isStream: false)
        let (channel, socket) = try ask(server)
        // The server answers in order, so all datagrams have been sent when it reads the second question.
        await eventually("two questions") { server.questions.count == 2 }
        #expect(channel.process(socket, reads: true))
        #expect(!channel.process(socket, reads: true))
        #expect(channel.takeEvents().answers.isEmpty)
    }

    /// True if c-ares reads each message over TCP separately, in two reads: the length, then the content. Version 1.20
    /// and later read all arrived bytes at once.
    private static let readsMessagesApart: Bool = {
        typealias Version = @convention(c) (UnsafeMutablePointer<Int32>?) -> UnsafePointer<CChar>?
        guard let symbol = unsafe dlsym(nil, "ares_version") else { return false }
        var number: Int32 = 0
        _ = unsafe unsafeBitCast(symbol, to: Version.self)(&number)
        return number < 0x01_14_00
    }()

    @Test(
        "a call makes at most 256 reads of a connection, and the next call reads the rest",
        .enabled(if: readsMessagesApart, "c-ares 1.20 and later read several messages at once"))
    func stream() async throws {
        // Two reads for each message.
        let server = try Self.server(count: Self.readLimit / 2 + 20, isStream: true)
        let (channel, socket) = try ask(server)
        await eventually("two questions") { server.questions.count == 2 }
        #expect(!channel.process(socket, reads: true))
        let stream = try #require(channel.takeEvents().opened.first { $0.isStream }).socket
        await eventually("two questions over TCP") {
            _ = channel.process(stream, reads: false)
            return server.questions.count == 4
        }
        #expect(channel.process(stream, reads: true))
        #expect(!channel.process(stream, reads: true))
        #expect(channel.takeEvents().answers.isEmpty)
    }
}
#endif
