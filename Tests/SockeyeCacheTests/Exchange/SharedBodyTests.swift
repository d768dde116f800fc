import HTTPTypes
import SockeyeCore
import SockeyeHTTP
import SockeyeNet
import SockeyeTestSupport
import SockeyeTesting
import Synchronization
import Testing

@testable import Sockeye
@testable import SockeyeCache
@testable import SockeyeEngine

@Suite("A body for several readers", .timeLimit(.minutes(1))) struct SharedBodyTests {
    /// A source that returns pieces as the test allows.
    private final class Source: BodySource {
        private struct State {
            var pieces: [Result<Bytes, SockeyeError>]
            var fetches = 0
            var isCancelled = false
            var isAbandoned = false
        }

        private let state: Mutex<State>
        private let gate = AsyncGate()
        let trailers: Headers? = ["X-Sum": "7"]

        /// - Parameter isOpen: False if the first piece waits for ``open()``.
        init(_ pieces: [Result<Bytes, SockeyeError>], isOpen: Bool = true) {
            state = Mutex(State(pieces: pieces.reversed()))
            if isOpen { gate.open() }
        }

        var fetches: Int { state.withLock(\.fetches) }
        var isCancelled: Bool { state.withLock(\.isCancelled) }
        var isAbandoned: Bool { state.withLock(\.isAbandoned) }

        func open() { gate.open() }

        func abandonStoring() { state.withLock { $0.isAbandoned = true } }

        func next() async throws(SockeyeError) -> Bytes? {
            state.withLock { $0.fetches += 1 }
            await gate.pass()
            let (piece, isCancelled) = (state.withLock { $0.pieces.popLast() }, Task.isCancelled)
            if isCancelled { state.withLock { $0.isCancelled = true } }
            return try piece?.get()
        }
    }

    /// A source without content. Its fetch ends when it is cancelled.
    private final class SilentSource: BodySource {
        private let isFetched = Atomic(false)
        private let ended = AsyncGate()
        private let onCancel: @Sendable () -> Void
        let trailers: Headers? = nil

        init(onCancel: @escaping @Sendable () -> Void) { self.onCancel = onCancel }

        /// True once a fetch has begun.
        var hasFetched: Bool { isFetched.load(ordering: .acquiring) }

        func next() async throws(SockeyeError) -> Bytes? {
            await withTaskCancellationHandler {
                isFetched.store(true, ordering: .releasing)
                await ended.pass()
            } onCancel: {
                onCancel()
                ended.open()
            }
            return nil
        }
    }

    private let time = ManualTime()

    private func context(total: Duration? = nil) throws -> CallContext {
        let poller = try EventPoller(time: TimeSource(manual: time))
        return CallContext(
            CallClock(time: TimeSource(manual: time)) { () throws(TransportError) in poller }, total: total,
            values: OutgoingRequest.Context())
    }

    private func response(_ source: any BodySource) -> IncomingResponse {
        IncomingResponse(
            ResponseStorage(
                status: 200, fields: [:], reason: "", request: nil,
                body: BodyContent(source: source, expectedLength: nil)))
    }

    private func body(_ source: Source, readers: Int) throws -> SharedBody {
        SharedBody(of: response(source), readers: readers)
    }

    private func read(_ reader: any BodySource) async throws(SockeyeError) -> String {
        var bytes: [UInt8] = []
        while let piece = try await reader.next() { bytes += piece }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let pieces: [Result<Bytes, SockeyeError>] = ["ab", "cd", "ef"].map { .success(Bytes($0)) }

    @Test("every reader gets all of the content and the trailers, and each piece is fetched once")
    func all() async throws {
        let source = Source(Self.pieces)
        let (shared, context) = (try body(source, readers: 3), try context())
        let readers = (0..<3).map { shared.reader($0, in: context) }
        for reader in readers {
            #expect(try await read(reader) == "abcdef")
            #expect(reader.trailers == ["X-Sum": "7"])
        }
        // A fetch for each of three pieces, and one for the end.
        #expect(source.fetches == 4)
    }

    @Test("readers that wait at the same time get the same piece")
    func together() async throws {
        let source = Source(Self.pieces, isOpen: false)
        let (shared, context) = (try body(source, readers: 2), try context())
        let tasks = (0..<2).map { id in
            let reader = shared.reader(id, in: context)
            return Task { try await read(reader) }
        }
        await eventually("a fetch") { source.fetches == 1 }
        source.open()
        for task in tasks { #expect(try await task.value == "abcdef") }
        #expect(source.fetches == 4)
    }

    @Test("an error ends the content of all readers at the same place")
    func failure() async throws {
        let source = Source([.success(Bytes("ab")), .failure(.failure(.connectionClosed))])
        let (shared, context) = (try body(source, readers: 2), try context())
        for id in 0..<2 {
            let reader = shared.reader(id, in: context)
            #expect(try await reader.next() == Bytes("ab"))
            for _ in 0..<2 {
                let error = await #expect(throws: SockeyeError.self) { try await reader.next() }
                #expect(error?.code == .connectionClosed)
            }
        }
        #expect(source.fetches == 2)
    }

    @Test("a body that was read before, even in part, fails every reader", arguments: [false, true])
    func readBefore(isPartial: Bool) async throws {
        let response = response(Source(Self.pieces))
        var body = response.body.makeAsyncIterator()
        while try await body.next() != nil, !isPartial {}
        let (shared, context) = (SharedBody(of: response, readers: 2), try context())
        for id in 0..<2 {
            let reader = shared.reader(id, in: context)
            let error = await #expect(throws: SockeyeError.self) { try await reader.next() }
            #expect(error?.code == .bodyConsumed)
        }
        let error = #expect(throws: SockeyeError.self) { try ResponseSource(response) }
        #expect(error?.code == .bodyConsumed)
    }

    @Test("a fetch continues after the cancellation of the reader that started it, and ends with the last reader")
    func leaving() async throws {
        let source = Source(Self.pieces, isOpen: false)
        let (shared, context) = (try body(source, readers: 2), try context())
        var readers: [any BodySource] = (0..<2).map { shared.reader($0, in: context) }
        let task = Task { [reader = readers[0]] in try await read(reader) }
        await eventually("a fetch") { source.fetches == 1 }
        task.cancel()
        let error = await #expect(throws: SockeyeError.self) { try await task.value }
        #expect(error?.code == .cancelled && error?.phase == .body)
        readers.removeFirst()
        #expect(!source.isCancelled && source.fetches == 1)
        readers.removeFirst()
        source.open()
        await eventually("the fetch is cancelled") { source.isCancelled }
    }

    @Test(
        "the last reader can stop the storing of the content, even during a fetch that succeeds",
        arguments: [true, false])
    func abandoning(isAsked: Bool) async throws {
        let source = Source(Self.pieces, isOpen: false)
        let (shared, context) = (try body(source, readers: 1), try context())
        let task = Task {
            let reader = shared.reader(0, in: context)
            if isAsked { reader.abandonStoring() }
            return try await read(reader)
        }
        await eventually("a fetch") { source.fetches == 1 }
        task.cancel()
        _ = try? await task.value
        source.open()
        await eventually("the fetch ends") { source.isCancelled && (source.isAbandoned || !isAsked) }
        #expect(source.isAbandoned == isAsked)
    }

    @Test("the deadline of one reader's call does not end the content of another")
    func deadline() async throws {
        let source = Source(Self.pieces, isOpen: false)
        let shared = try body(source, readers: 2)
        let (hurried, patient) = (
            shared.reader(0, in: try context(total: .seconds(5))), shared.reader(1, in: try context())
        )
        let tasks = [hurried, patient].map { reader in Task { try await read(reader) } }
        await eventually("a fetch") { source.fetches == 1 }
        time.advance(by: .seconds(5))
        let error = await #expect(throws: SockeyeError.self) { try await tasks[0].value }
        #expect(error?.code == .timeout && error?.limit?.name == "timeouts.total")
        source.open()
        #expect(try await tasks[1].value == "abcdef")
    }

    @Test("if a fetch of a shared response is cancelled, the policy holds no lock while the transport's handlers run")
    func cancellationHandlers() async throws {
        let (activity, callers) = (CacheActivity(), Recorder<Int>())
        let source = SilentSource { callers.append(activity.callersInFlight) }
        let key = SharedExchange.Key(
            url: "https://a.test/x", fragment: nil, partition: "", decodes: true, headers: [:], bodyLimit: nil,
            limits: PhaseLimits(), chain: ObjectIdentifier(activity))
        let exchange = activity.enter(key).exchange
        _ = activity.enter(key)
        exchange.finish(
            .success(response(source).withCacheOutcome(.asked(.miss, .notStored, isShareable: true))))
        let context = try context()
        let reading = Task {
            let caller = SharedExchange.Caller(
                context: context, isOwner: true, stall: nil,
                continuation: { (_, _) async throws(SockeyeError) -> any BodySource in Source([]) })
            guard case .response(let shared) = try await exchange.share(of: caller) else { return }
            activity.leave(exchange, key, withShare: true)
            _ = try await shared.bytes()
        }
        await eventually("a fetch") { source.hasFetched }
        // The first caller stops reading; the second one leaves before it takes its share.
        reading.cancel()
        _ = await reading.result
        #expect(callers.values.isEmpty)
        activity.leave(exchange, key, withShare: false)
        await eventually("the cancellation of the fetch") { callers.values == [0] }
    }

    private static let large = Bytes([UInt8](repeating: 1, count: SharedPieces.limit))

    @Test("a reader that waits for room evicts the slowest reader after its own stall deadline")
    func eviction() async throws {
        let source = Source([.success(Self.large), .success(Bytes("end"))])
        let (shared, context) = (try body(source, readers: 2), try context())
        let positions = Recorder<Int>()
        let slow = shared.reader(0, in: context) { _, position throws(SockeyeError) in
            positions.append(position)
            return Source([.success(Bytes("rest"))])
        }
        let fast = shared.reader(1, in: context, stall: .seconds(1))
        #expect(try await fast.next()?.count == SharedPieces.limit)
        let task = Task { try await read(fast) }
        await eventually("the eviction of the slow reader") {
            time.advance(by: .seconds(1))
            return source.fetches > 1
        }
        #expect(try await task.value == "end")
        // The evicted reader continues where it was.
        #expect(try await read(slow) == "rest" && positions.values == [0])
        #expect(slow.trailers == ["X-Sum": "7"])
    }

    @Test("a reader that waits for room continues when the slowest reader consumes the full buffer")
    func room() async throws {
        let source = Source([.success(Self.large), .success(Bytes("end"))])
        let (shared, context) = (try body(source, readers: 2), try context())
        let slow = shared.reader(0, in: context)
        let fast = shared.reader(1, in: context, stall: .seconds(1))
        #expect(try await fast.next()?.count == SharedPieces.limit)
        let task = Task { try await read(fast) }
        #expect(try await slow.next()?.count == SharedPieces.limit)
        #expect(try await task.value == "end")
        #expect(try await read(slow) == "end")
    }

    @Test("a reader that is released makes room for the others")
    func leavingMakesRoom() async throws {
        let source = Source([.success(Self.large), .success(Bytes("end"))])
        let (shared, context) = (try body(source, readers: 2), try context())
        var slow: (any BodySource)? = shared.reader(0, in: context)
        let fast = shared.reader(1, in: context)
        #expect(try await fast.next()?.count == SharedPieces.limit)
        let task = Task { try await read(fast) }
        _ = slow
        slow = nil
        #expect(try await task.value == "end")
    }
}
