import HTTPTypes
import SockeyeCore
import SockeyeHTTP
import SockeyeTestSupport
import SockeyeTesting
import Testing

@testable import Sockeye
@testable import SockeyeEngine

@Suite("The observer of a call") struct CallObserverTests {
    /// A monitor that wants some kinds of events, of some calls.
    private struct Monitor: EventMonitor {
        let kinds: ClientEvent.Kinds
        let recording: RecordingMonitor
        var wantsCalls = true

        func monitor(of call: ObservedCall) -> (any EventMonitor)? { wantsCalls ? self : nil }
        func handle(_ event: ClientEvent) { recording.handle(event) }
    }

    private let clock = ManualClock()
    private let recording = RecordingMonitor()
    private let url: HTTPURL

    init() throws { url = try HTTPURL("https://user:secret@a.test/x") }

    private func observer(
        _ kinds: ClientEvent.Kinds = .calls, isMeasured: Bool = false, wantsCalls: Bool = true
    ) throws -> CallObserver {
        try #require(maybeObserver(kinds, isMeasured: isMeasured, wantsCalls: wantsCalls))
    }

    private func maybeObserver(
        _ kinds: ClientEvent.Kinds = .calls, isMeasured: Bool, wantsCalls: Bool
    ) -> CallObserver? {
        CallObserver(
            OutgoingRequest(url: url),
            monitors: CallMonitors([Monitor(kinds: kinds, recording: recording, wantsCalls: wantsCalls)]),
            isMeasured: isMeasured, time: clock.timeSource)
    }

    private func response(_ status: HTTPResponse.Status = .ok) -> IncomingResponse {
        IncomingResponse(status: status, body: Bytes("12345"), url: url)
    }

    @Test("a call is observed only if a monitor wants it or it is measured")
    func existence() {
        #expect(maybeObserver(isMeasured: false, wantsCalls: false) == nil)
        #expect(maybeObserver(isMeasured: true, wantsCalls: false) != nil)
        #expect(maybeObserver(isMeasured: false, wantsCalls: true) != nil)
        #expect(maybeObserver([], isMeasured: false, wantsCalls: true) == nil)
    }

    @Test("an exchange's metrics have times since the call's start, and the call's description has no secret")
    func metrics() throws {
        let observer = try observer()
        clock.advance(by: .seconds(1))
        observer.exchangeBegan(.put, url)
        clock.advance(by: .seconds(1))
        observer.sentRequest(withBody: 3, in: 1)
        clock.advance(by: .seconds(1))
        observer.receivedHead(response(), in: 1)
        observer.receivedBody(2, in: 1)
        observer.receivedBody(0, in: 1)
        observer.receivedBody(3, in: 1)
        clock.advance(by: .seconds(1))
        observer.exchangeEnded(in: 1, received: 99)
        clock.advance(by: .seconds(1))
        let metrics = observer.metrics
        let exchange = try #require(metrics.exchanges.first)
        #expect(exchange.start == .seconds(1) && exchange.sent == .seconds(2) && exchange.headReceived == .seconds(3))
        #expect(exchange.end == .seconds(4) && metrics.duration == .seconds(4) && metrics.exchanges.count == 1)
        #expect(exchange.bodyBytesSent == 3 && exchange.bodyBytesReceived == 5 && exchange.bytesReceived == 99)
        #expect(!observer.call.description.contains("secret"))
    }

    @Test("an exchange ends once: later reports change nothing and cause no event")
    func endOnce() throws {
        let observer = try observer([.exchangeEnded, .requestSent, .headReceived])
        observer.exchangeBegan(.get, url)
        observer.exchangeEnded(in: 1, .failure(.timeout))
        observer.exchangeEnded(in: 1, received: 7)
        observer.sentRequest(in: 1)
        observer.receivedHead(response(), in: 1)
        #expect(recording.events.values == ["end timeout"])
        let exchange = try #require(observer.metrics.exchanges.first)
        #expect(exchange.error?.code == .timeout && exchange.status == nil && exchange.sent == nil)
        #expect(exchange.bytesReceived == 0)
    }

    /// The task that sends a body may report after the next exchange has begun.
    @Test("late reports about an earlier exchange do not change the next one")
    func lateReports() throws {
        let observer = try observer([.bodySent, .requestSent])
        let first = observer.exchangeBegan(.post, url)
        observer.sentBody(3, of: 10, in: first)
        observer.exchangeEnded(in: first)
        let second = observer.exchangeBegan(.post, url)
        observer.sentBody(10, of: 10, in: first)
        observer.sentRequest(in: first)
        observer.sentBody(1, of: 10, in: second)
        #expect(observer.exchange == 2 && recording.events.values == ["body 3 of 10", "body 1 of 10"])
        #expect(observer.metrics.exchanges.map(\.bodyBytesSent) == [3, 1])
        #expect(observer.metrics.exchanges.allSatisfy { $0.sent == nil })
    }

    @Test("an exchange whose body ends after the next exchange has begun keeps its metrics and its events")
    func overlapping() throws {
        let list = ExchangeList()
        let observer = try #require(
            CallObserver(
                OutgoingRequest(url: url),
                monitors: CallMonitors([Monitor(kinds: .calls, recording: recording), list]), isMeasured: false,
                time: clock.timeSource))
        let first = observer.exchangeBegan(.get, url)
        observer.receivedHead(response(.found), with: 1, in: first)
        let second = observer.exchangeBegan(.get, url)
        observer.receivedBody(2, in: first)
        observer.exchangeEnded(in: first, received: 30)
        observer.receivedHead(response(), in: second)
        observer.receivedBody(5, in: second)
        observer.exchangeEnded(in: second, received: 50)
        #expect(
            recording.events.values == [
                "start GET /x", "exchange GET /x", "head 302", "got 1", "exchange GET /x", "got 3", "end 302",
                "head 200", "got 5", "end 200",
            ])
        #expect(list.lines.values == ["GET started", "GET started", "302 ended, 3 bytes", "200 ended, 5 bytes"])
        #expect(observer.metrics.exchanges.map(\.bytesReceived) == [30, 50])
    }

    @Test("an exchange that begins after the return of the call is not reported")
    func afterReturn() throws {
        let observer = try observer()
        let first = observer.exchangeBegan(.get, url)
        observer.receivedHead(response(), in: first)
        observer.returned(.success(response()))
        let late = observer.exchangeBegan(.get, url)
        observer.receivedHead(response(.notModified), in: late)
        observer.exchangeEnded(in: late, .failure(.timeout))
        observer.receivedBody(5, in: first)
        observer.exchangeEnded(in: first, received: 50)
        #expect(
            recording.events.values == [
                "start GET /x", "exchange GET /x", "head 200", "returned 200", "got 5", "end 200",
            ])
        #expect(observer.exchange == 1 && observer.metrics.exchanges.map(\.bodyBytesReceived) == [5])
    }

    @Test("reports before the first exchange cause no event")
    func beforeFirst() throws {
        let observer = try observer(.exchangeEnded)
        observer.receivedHead(response(), in: 1)
        observer.receivedBody(3, in: 1)
        observer.exchangeEnded(in: 0, .failure(.timeout))
        #expect(observer.exchange == 0 && observer.metrics.exchanges.isEmpty && recording.events.values.isEmpty)
    }

    @Test("each monitor gets only the kinds of events that it wants")
    func kinds() throws {
        let rows: [(ClientEvent.Kinds, [String])] = [
            (.bodyReceived, ["got 2", "got 5"]), (.headReceived, ["head 200"]), (.exchangeFailed, []),
            (.exchangeEnded, ["end 200"]), (.callReturned, ["returned 200"]),
            ([.callStarted, .exchangeStarted], ["start GET /x", "exchange GET /x"]),
        ]
        for (kinds, expected) in rows {
            let before = recording.events.values.count
            let observer = try observer(kinds)
            observer.exchangeBegan(.get, url)
            observer.receivedHead(response(), in: 1)
            observer.receivedBody(2, in: 1)
            observer.receivedBody(3, in: 1)
            observer.exchangeEnded(in: 1, received: 50)
            observer.returned(.success(response()))
            #expect(Array(recording.events.values.dropFirst(before)) == expected)
        }
    }

    @Test("an exchange that begins on an idle connection has metrics and events like one that waited for a connection")
    func idleConnection() throws {
        let facts = CallMetrics.ConnectionFacts(
            remoteAddress: nil, tlsVersion: nil, cipherSuite: nil, isTLSResumed: false, timings: DialTimings())
        let connection = CallMetrics.Connection(facts, isReused: true)
        let rows: [(ClientEvent.Kinds, [String])] = [
            (.callReturned, []), ([.exchangeStarted, .exchangeConnected], ["exchange GET /x", "reused"]),
        ]
        for (kinds, events) in rows {
            let before = recording.events.values.count
            let observer = try observer(kinds)
            clock.advance(by: .seconds(1))
            observer.exchangeBegan(.get, url, on: connection)
            let exchange = try #require(observer.metrics.exchanges.first)
            #expect(exchange.start == .seconds(1) && exchange.connected == .seconds(1))
            #expect(exchange.connection?.isReused == true)
            #expect(Array(recording.events.values.dropFirst(before)) == events)
        }
    }

    /// Records exchanges without their events, for all calls.
    private final class ExchangeList: ExchangeRecorder, UniformMonitor {
        let lines = Recorder<String>()
        let kinds: ClientEvent.Kinds = [.exchangeStarted, .exchangeEnded, .callReturned]
        var monitorOfAllCalls: (any EventMonitor)? { self }

        func exchangeStarted(_ exchange: CallMetrics.Exchange, of call: ObservedCall) {
            lines.append("\(exchange.method) started")
        }

        func exchangeEnded(_ exchange: CallMetrics.Exchange, of call: ObservedCall) {
            lines.append("\(exchange.statusCode ?? 0) ended, \(exchange.bodyBytesReceived) bytes")
        }

        func handle(_ event: ClientEvent) { lines.append(event.kind == .callReturned ? "returned" : "an exchange") }
    }

    @Test("a recorder gets the start and the end of an exchange once, without events")
    func recorder() throws {
        let list = ExchangeList()
        let observer = try #require(
            CallObserver(
                OutgoingRequest(url: url), monitors: CallMonitors([list]), isMeasured: false, time: clock.timeSource))
        observer.exchangeBegan(.get, url)
        observer.receivedHead(response(), with: 5, in: 1)
        observer.exchangeEnded(in: 1, received: 50)
        observer.exchangeEnded(in: 1, .failure(.timeout))
        observer.returned(.success(response()))
        #expect(list.lines.values == ["GET started", "200 ended, 5 bytes", "returned"])
    }

    @Test("a call without an exchange lasts until it returns, and outcomes of the cache are kept in order")
    func withoutExchange() throws {
        let observer = try observer(isMeasured: true)
        clock.advance(by: .seconds(1))
        observer.cacheAnswered(.asked(.miss, .notStored), url)
        observer.cacheAnswered(.asked(.joined, .joined), url)
        clock.advance(by: .seconds(1))
        observer.returned(.success(response()))
        clock.advance(by: .seconds(1))
        #expect(observer.metrics.duration == .seconds(2) && observer.metrics.exchanges.isEmpty)
        #expect(observer.metrics.cacheOutcomes.map(\.kind) == [.miss, .joined])
    }
}
