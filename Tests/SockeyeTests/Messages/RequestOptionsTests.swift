import Sockeye
import SockeyeEngine
import Synchronization
import Testing

@Suite("Options of a call") struct RequestOptionsTests {
    /// Keeps the options of the last request.
    private final class OptionsTransport: HTTPTransport {
        let options = Mutex(OutgoingRequest.Options())

        func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
            options.withLock { $0 = request.options }
            return IncomingResponse(status: .ok, url: request.url)
        }
    }

    @Test("parts combine, and each says what the others do not")
    func parts() {
        let options = OutgoingRequest.Options.timeout(total: .seconds(2)).limit(body: 1 << 20).skipping(.cookies)
            .compressing(.gzip).intercepting(.redirects(.manual)).intercepting(.setting("X-A", to: "1"))
        #expect(options.timeouts?.total == .seconds(2))
        #expect(options.bodyLimit == 1 << 20)
        #expect(options.skippedStages == [.cookies] && options.compression == .gzip)
        #expect(options.interceptors.count == 2)
        #expect(options.skipping(.retries).skippedStages == [.cookies, .retries])
    }

    @Test("a deadline replaces that deadline and no other, as one that is nil does")
    func deadlines() {
        let outer = Timeouts(total: .seconds(30), head: .seconds(7))
        let inner = Timeouts(total: .seconds(2), stall: nil).over(outer)
        #expect(inner.total == .seconds(2) && inner.head == .seconds(7) && inner.stall == nil)
        #expect(inner.connect == .seconds(10))
        #expect(inner.over(Timeouts(connect: .seconds(1))).connect == .seconds(1))
        #expect(Timeouts(total: nil).over(outer).total == nil)
        #expect(Timeouts().over(outer) == outer)
        let options = OutgoingRequest.Options.timeout(connect: .seconds(1)).timeout(total: .seconds(3)).timeout(
            total: nil)
        #expect(options.timeouts?.total == nil && options.timeouts?.connect == .seconds(1))
        #expect(options.timeouts?.assigned == [.total, .connect])
    }

    @Test("those of a call, of its scope and of the scope around it count in this order, one by one")
    func scopes() async throws {
        let transport = OptionsTransport()
        let client = HTTPClient(transport: transport)
            .scoped(timeouts: Timeouts(connect: .seconds(1), head: .seconds(7)))
            .scoped(timeouts: Timeouts(head: .seconds(5)))
        _ = try await client.get("https://a.test/", options: .timeout(total: .seconds(2)).limit(body: 9))
        let options = transport.options.withLock(\.self)
        let timeouts = try #require(options.timeouts)
        #expect(timeouts.total == .seconds(2) && timeouts.head == .seconds(5) && timeouts.connect == .seconds(1))
        #expect(timeouts.assigned == [.total, .head, .connect])
        #expect(options.bodyLimit == 9)
    }
}
