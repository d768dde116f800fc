import SockeyeEngine
import SockeyeHTTP
import SockeyeStreams
import SockeyeTransfers
import Synchronization
import Testing

@testable import Sockeye

@Suite("Options of a call") struct RequestOptionsTests {
    /// Records the options of the last request.
    private final class OptionsTransport: HTTPTransport {
        let options = Mutex(OutgoingRequest.Options())

        func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
            options.withLock { $0 = request.options }
            return IncomingResponse(status: .ok, url: request.url)
        }
    }

    @Test("options can be combined in a chain of method calls")
    func parts() {
        let options = OutgoingRequest.Options.timeout(total: .seconds(2)).limit(body: 1 << 20).skipping(.cookies)
            .compressing(.gzip).intercepting(.redirects(.manual)).intercepting(.setting("X-A", to: "1"))
        #expect(options.timeouts?.total == .seconds(2))
        #expect(options.bodyLimit == 1 << 20)
        #expect(options.skippedStages == [.cookies] && options.compression == .gzip)
        #expect(options.interceptors.count == 2)
        #expect(options.skipping(.retries).skippedStages == [.cookies, .retries])
    }

    @Test("each option can begin a chain of options or continue it")
    func starters() throws {
        let zeros = try Checksum.sha256(String(repeating: "0", count: 64))
        let ones = try Checksum.sha256(String(repeating: "1", count: 64))
        let transport = OptionsTransport()
        let first = try HTTPClient(transport: transport).dataTask(.get, "http://a.test/", as: .bytes)
        let second = try HTTPClient(transport: transport).dataTask(.get, "http://a.test/", as: .bytes)
        let begun: [OutgoingRequest.Options] = [
            .checksum(zeros), .parallel(4), .resumable(in: "/a"), .resuming(atMost: 3), .priority(.high), .after(first),
            .eventStream(idle: .seconds(7), reconnects: true, lastEventID: "9"),
        ]
        let continued = OutgoingRequest.Options.checksum(zeros).parallel(4).resumable(in: "/a").resuming(atMost: 3)
            .priority(.high).after(first).eventStream(idle: .seconds(7)).eventStream(reconnects: true, lastEventID: "9")
        for options in [continued, begun.reduce(OutgoingRequest.Options()) { $1.merging($0) }] {
            #expect(options.checksums == [zeros] && options.parallelParts == 4 && options.resumeFile == "/a")
            #expect(options.maximumResumes == 3 && options.priority == .high && options.dependencies == [first.id])
            let events = options.eventStream
            #expect(events.idle == .seconds(7) && events.reconnects == true && events.lastEventID == "9")
        }
        #expect(continued.checksum(ones).checksums == [zeros, ones])
        #expect(continued.after(second).dependencies == [first.id, second.id])
        #expect(continued.eventStream(idle: .seconds(8)).eventStream.lastEventID == "9")
        let plain = OutgoingRequest.Options()
        #expect(plain.checksums.isEmpty && plain.parallelParts == 1 && plain.resumeFile == nil)
        #expect(plain.maximumResumes == 5 && plain.verifiesAnnouncedChecksums && plain.priority == .standard)
    }

    @Test("an inner deadline replaces only the same outer one, nil keeps it, and unlimited removes it")
    func deadlines() {
        let outer = Timeouts(total: .seconds(30), head: .seconds(7))
        let inner = Timeouts(total: .seconds(2), stall: .unlimited).over(outer)
        #expect(inner == Timeouts(total: .seconds(2), head: .seconds(7), stall: .unlimited))
        #expect(inner.over(Timeouts(connect: .seconds(1))).connect == .seconds(1))
        #expect(Timeouts(total: nil).over(outer) == outer)
        #expect(Timeouts(total: .unlimited).over(outer).total == .unlimited)
        let options = OutgoingRequest.Options.timeout(connect: .seconds(1)).timeout(total: .seconds(3))
        #expect(options.timeout(total: nil).timeouts == Timeouts(total: .seconds(3), connect: .seconds(1)))
        #expect(
            options.timeout(total: .unlimited).timeouts == Timeouts(total: .unlimited, connect: .seconds(1)))
    }

    @Test("an unset deadline has the engine's default, and an unlimited one has no limit")
    func limits() {
        let phases: [(WritableKeyPath<Timeouts, Duration?>, KeyPath<PhaseLimits, Duration?>, Duration?)] = [
            (\.pool, \.pool, .seconds(60)), (\.resolve, \.resolve, .seconds(10)), (\.connect, \.connect, .seconds(10)),
            (\.tls, \.tls, .seconds(10)), (\.head, \.head, .seconds(60)), (\.stall, \.stall, .seconds(60)),
            (\.total, \.total, nil),
        ]
        for (choice, limit, standard) in phases {
            var timeouts = Timeouts()
            #expect(PhaseLimits(timeouts)[keyPath: limit] == standard)
            for duration in [Duration.zero, .seconds(7), .seconds(-1), .seconds(Int64.max - 1)] {
                timeouts[keyPath: choice] = duration
                #expect(PhaseLimits(timeouts)[keyPath: limit] == duration)
            }
            timeouts[keyPath: choice] = .unlimited
            #expect(PhaseLimits(timeouts)[keyPath: limit] == nil)
        }
    }

    @Test("deadlines of a call override those of its scope and of outer scopes, one by one")
    func scopes() async throws {
        let transport = OptionsTransport()
        let client = HTTPClient(transport: transport)
            .scoped(timeouts: Timeouts(connect: .seconds(1), head: .seconds(7)))
            .scoped(timeouts: Timeouts(head: .seconds(5)))
        _ = try await client.get("https://a.test/", options: .timeout(total: .seconds(2)).limit(body: 9))
        let options = transport.options.withLock(\.self)
        let timeouts = try #require(options.timeouts)
        #expect(timeouts == Timeouts(total: .seconds(2), connect: .seconds(1), head: .seconds(5)))
        #expect(options.bodyLimit == 9)
    }
}
