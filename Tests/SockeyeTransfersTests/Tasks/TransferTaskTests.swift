import Sockeye
import SockeyeCore
import SockeyeTestSupport
import SockeyeTesting
import SockeyeTransfers
import Synchronization
import Testing

@Suite("Transfer tasks", .timeLimit(.minutes(1))) struct TransferTaskTests {
    private struct User: Codable, Equatable, Sendable { var name: String }
    private enum TagKey: OutgoingRequest.ContextKey { typealias Value = Int }
    @TaskLocal private static var tenant = "none"

    @Test("a task has a value, a response, metrics and a context")
    func value() async throws {
        try await withTestServer { _ in
            .json(User(name: "Ada"))
        } run: { server in
            let client = HTTPClient()
            let task = try client.dataTask(
                .get, server.url(), options: .context(TagKey.self, 7), as: .json(User.self))
            let user = try await task.value
            #expect(user == User(name: "Ada"))
            #expect(task.response?.status == .ok)
            #expect(task.metrics?.exchanges.count == 1)
            #expect(task.context[TagKey.self] == 7)
            #expect(task.kind == .data)
            #expect(await task.state == .ended)
            #expect(client.transfers.all().isEmpty)
            #expect(task.progress.current.fraction == 1)
        }
    }

    @Test("a task fails with the error of its call")
    func failure() async throws {
        try await withTestServer { _ in
            .status(404)
        } run: { server in
            let task = try HTTPClient().dataTask(.get, server.url(), as: .json(User.self))
            let error = await #expect(throws: SockeyeError.self) { try await task.value }
            #expect(error?.code == .unacceptableStatus)
            #expect(task.error?.code == .unacceptableStatus)
        }
    }

    @Test("an upload task reports the sent bytes up to the last byte")
    func uploadProgress() async throws {
        try await withTestServer { request in
            .ok("\(try await request.body.collect().count)")
        } run: { server in
            let chunks = AsyncStream<[UInt8]> { continuation in
                for _ in 0..<32 { continuation.yield([UInt8](repeating: 1, count: 64 << 10)) }
                continuation.finish()
            }
            let task = try HTTPClient().uploadTask(
                .put, server.url(), .stream(chunks, length: 2 << 20), as: .text)
            var seen: [TransferProgress] = []
            for await progress in task.progress { seen.append(progress) }
            #expect(try await task.value == "\(2 << 20)")
            #expect(seen.map(\.completed) == seen.map(\.completed).sorted())
            #expect(
                seen.last == TransferProgress(completed: 2 << 20, total: 2 << 20, throughput: seen.last?.throughput))
            #expect(seen.last?.fraction == 1)
        }
    }

    @Test("a paused task delays its content and continues when resumed", arguments: [TransferKind.data, .upload])
    func pausing(kind: TransferKind) async throws {
        let release = TestSignal()
        try await withTestServer { request in
            let count = try await request.body.collect(upTo: 64 << 20).count
            guard count == 0 else { return .ok("\(count)") }
            return .bytes(Bytes([UInt8](repeating: 7, count: 8 << 20)))
        } run: { server in
            let client = HTTPClient()
            let pieces = Recorder<Int>()
            let chunks = AsyncThrowingStream<[UInt8], any Error> {
                try await release.wait(timeout: .seconds(20))
                pieces.append(1)
                return pieces.values.count < 4 ? [1, 2, 3] : nil
            }
            let task =
                kind == .data
                ? try client.dataTask(.get, server.url(), as: .bytes)
                : try client.uploadTask(.put, server.url(), .stream(chunks))
            await task.pause()
            #expect(await task.state == .paused)
            #expect(client.transfers.all(kind).map(\.id) == [task.id])
            release.fire()
            await task.resume()
            let bytes = try await task.value
            #expect(kind == .data ? bytes.count == 8 << 20 : bytes == Bytes("9"))
            #expect(await task.state == .ended)
        }
    }

    @Test("the total deadline ends a task that is paused before its content is read")
    func totalDeadline() async throws {
        let (arrived, head) = (TestSignal(), TestSignal())
        try await withTestServer { (_: TestRequest, responder: TestResponder) in
            arrived.fire()
            try await head.wait(timeout: .seconds(20))
            try await responder.sendHead(length: 1 << 20)
            try await responder.waitForDisconnect()
            responder.close()
        } run: { server in
            let clock = ManualClock()
            let client = HTTPClient(clock: clock)
            let task = try client.dataTask(.get, server.url(), options: .timeout(total: .seconds(10)), as: .bytes)
            try await arrived.wait(timeout: .seconds(20))
            await task.pause()
            head.fire()
            await eventually("the response arrives", within: .seconds(20)) { task.response != nil }
            clock.advance(by: .seconds(10))
            await eventually("the task ends", within: .seconds(20)) { await task.state == .ended }
            await task.cancel()
            #expect(task.error?.code == .timeout && task.error?.limit?.name == "timeouts.total")
            await eventually("the connection is released", within: .seconds(20)) { client.pool?.statistics.leased == 0 }
        }
    }

    @Test("the deadline of the head does not end a paused task, and begins anew after the pause", arguments: [59, 60])
    func headDeadline(silence: Int) async throws {
        let (arrived, release) = (TestSignal(), TestSignal())
        try await withTestServer { _ in
            arrived.fire()
            try await release.wait(timeout: .seconds(20))
            return .ok("x")
        } run: { server in
            let clock = ManualClock()
            let options = OutgoingRequest.Options.timeout(head: .seconds(60))
            let task = try HTTPClient(clock: clock).dataTask(.get, server.url(), options: options, as: .text)
            try await arrived.wait(timeout: .seconds(20))
            await task.pause()
            clock.advance(by: .seconds(600))
            await task.resume()
            clock.advance(by: .seconds(silence))
            if silence == 60 {
                let error = await #expect(throws: SockeyeError.self) { try await task.value }
                #expect(error?.code == .timeout && error?.limit?.name == "timeouts.head")
            }
            release.fire()
            if silence < 60 { #expect(try await task.value == "x") }
        }
    }

    @Test("a task that is paused while it waits does not start before it is resumed")
    func pausedBeforeTurn() async throws {
        let release = TestSignal()
        try await withTestServer { request in
            if request.path == "/first" { try await release.wait(timeout: .seconds(20)) }
            return .ok("x")
        } run: { server in
            var configuration = ClientConfiguration()
            configuration.runningTasks = 1
            let client = HTTPClient(configuration: configuration)
            let first = try client.dataTask(.get, server.url("/first"), as: .text)
            let task = try client.dataTask(.get, server.url("/second"), as: .text)
            await task.pause()
            release.fire()
            #expect(try await first.value == "x")
            #expect(await task.state == .paused)
            #expect(server.activity.requests == 1)
            await task.resume()
            #expect(try await task.value == "x")
        }
    }

    /// Pauses a task during its `resume()`, so that its work cannot have begun.
    private final class Pausing: EventMonitor {
        let kinds = ClientEvent.Kinds.tasks
        let task = Mutex<TransferTask<String>?>(nil)

        func handle(_ event: ClientEvent) {
            guard case .taskResumed = event, let task = self.task.withLock({ $0.take() }) else { return }
            task.assumeIsolated { $0.pause() }
        }
    }

    @Test("a task that is paused before its work begins does not count toward the limit until it is resumed")
    func pausedWithTurn() async throws {
        let release = TestSignal()
        try await withTestServer { request in
            if request.path == "/first" { try await release.wait(timeout: .seconds(20)) }
            return .ok(request.path)
        } run: { server in
            var configuration = ClientConfiguration()
            configuration.runningTasks = 1
            let monitor = Pausing()
            let client = HTTPClient(configuration: configuration).monitored(by: monitor)
            let first = try client.dataTask(.get, server.url("/first"), as: .text)
            let task = try client.dataTask(.get, server.url("/paused"), as: .text)
            await task.pause()
            release.fire()
            #expect(try await first.value == "/first")
            monitor.task.withLock { $0 = task }
            await task.resume()
            #expect(await task.state == .paused)
            let second = try client.dataTask(.get, server.url("/second"), as: .text)
            #expect(try await second.value == "/second")
            await task.resume()
            #expect(try await task.value == "/paused")
        }
    }

    @Test("a queued task has the task-local values of its creator, not those of the task that ended before it")
    func taskLocalValues() async throws {
        let release = TestSignal()
        let client = HTTPClient(
            transport: MockTransport { _ in
                try await release.wait(timeout: .seconds(20))
                return .text(Self.tenant)
            })
        client.transfers.limitRunning(to: 1)
        let tasks = try ["a", "b"].map { tenant in
            try Self.$tenant.withValue(tenant) { try client.dataTask(.get, "http://a.test/", as: .text) }
        }
        release.fire()
        #expect(try await tasks[0].value == "a")
        #expect(try await tasks[1].value == "b")
    }

    @Test("at least one task runs at a time, however low the limit is", arguments: [0, -1, Int.min])
    func lowestLimit(limit: Int) async throws {
        let client = HTTPClient(transport: MockTransport { _ in .text("x") })
        client.transfers.limitRunning(to: limit)
        let task = try client.dataTask(.get, "http://a.test/", as: .text)
        #expect(try await task.value == "x")
    }

    @Test("a task ends when cancelled, before or while it runs")
    func cancelling() async throws {
        let arrived = TestSignal()
        try await withTestServer { _ in
            arrived.fire()
            return .never
        } run: { server in
            var configuration = ClientConfiguration()
            configuration.runningTasks = 1
            let client = HTTPClient(configuration: configuration)
            let running = try client.dataTask(.get, server.url(), as: .text)
            let waiting = try client.dataTask(.get, server.url(), as: .text)
            try await arrived.wait(timeout: .seconds(20))
            #expect(await waiting.state == .waiting)
            await waiting.cancel()
            await running.cancel()
            for task in [running, waiting] {
                #expect(await #expect(throws: SockeyeError.self) { try await task.value }?.code == .cancelled)
            }
            #expect(client.transfers.all().isEmpty)
        }
    }

    @Test("when a caller has the value of a task, the task is no longer among the client's tasks")
    func removal() async throws {
        struct Refusing: HTTPTransport {
            func send(_ request: OutgoingRequest) async throws -> IncomingResponse { throw CancellationError() }
        }
        let client = HTTPClient(transport: Refusing())
        for _ in 0..<1000 {
            let task = try client.dataTask(.get, "http://a.test/", as: .text)
            _ = try? await task.value
            #expect(client.transfers.all().isEmpty)
        }
    }

    @Test("tasks begin after their dependencies, by priority, up to the limit")
    func order() async throws {
        let order = Recorder<String>()
        let (begun, release) = (TestSignal(), TestSignal())
        try await withTestServer { request in
            order.append(request.path)
            if request.path == "/running" {
                begun.fire()
                try await release.wait(timeout: .seconds(20))
            }
            return .ok()
        } run: { server in
            var configuration = ClientConfiguration()
            configuration.runningTasks = 1
            let client = HTTPClient(configuration: configuration)
            func task(
                _ path: String, _ options: OutgoingRequest.Options = OutgoingRequest.Options()
            ) throws -> TransferTask<Bytes> {
                try client.dataTask(.get, server.url(path), options: options, as: .bytes)
            }
            let running = try task("/running")
            try await begun.wait(timeout: .seconds(20))
            let low = try task("/low", .priority(.low))
            let first = try task("/first")
            let high = try task("/high", .priority(.high))
            let last = try task("/last", .priority(1.0).after(low, first))
            release.fire()
            for task in [running, low, first, high, last] { _ = try await task.value }
            #expect(order.values == ["/running", "/high", "/first", "/low", "/last"])
        }
    }

    @Test("a cancelled waiter stops waiting, and the task continues")
    func waiters() async throws {
        let release = TestSignal()
        try await withTestServer { _ in
            try await release.wait(timeout: .seconds(20))
            return .ok("value")
        } run: { server in
            let task = try HTTPClient().dataTask(.get, server.url(), as: .text)
            let waiter = Task { try await task.value }
            waiter.cancel()
            #expect(await #expect(throws: SockeyeError.self) { try await waiter.value }?.code == .cancelled)
            release.fire()
            #expect(try await task.value == "value")
        }
    }

    @Test("a task is refused after the client's tasks are invalidated", arguments: [true, false])
    func invalidating(cancelling: Bool) async throws {
        let release = TestSignal()
        try await withTestServer { _ in
            try await release.wait(timeout: .seconds(20))
            return .ok("value")
        } run: { server in
            let client = HTTPClient()
            let running = try client.dataTask(.get, server.url(), as: .text)
            if !cancelling { release.fire() }
            await client.transfers.invalidate(cancelling: cancelling)
            #expect((running.error?.code == .cancelled) == cancelling)
            let refused = try client.dataTask(.get, server.url(), as: .text)
            #expect(await #expect(throws: SockeyeError.self) { try await refused.value }?.code == .shutDown)
            release.fire()
        }
    }

    @Test("monitors get the events of tasks")
    func monitors() async throws {
        final class Listening: EventMonitor {
            let events = Recorder<String>()
            let kinds = ClientEvent.Kinds.tasks
            func handle(_ event: ClientEvent) {
                switch event {
                case .taskResumed: events.append("resumed")
                case .taskPaused: events.append("paused")
                case .taskEnded(let end): events.append("ended with \(end.value ?? "nothing")")
                case .tasksInvalidated: events.append("invalidated")
                default: events.append("\(event)")
                }
            }
        }
        let release = TestSignal()
        try await withTestServer { request in
            if request.path == "/first" { try await release.wait(timeout: .seconds(20)) }
            return .ok("ok")
        } run: { server in
            let monitor = Listening()
            let client = HTTPClient().monitored(by: monitor)
            // The task of an unmonitored client delays the start.
            let first = try HTTPClient().dataTask(.get, server.url("/first"), as: .text)
            let task = try client.dataTask(.get, server.url(), options: .after(first), as: .text)
            await task.pause()
            await task.resume()
            release.fire()
            _ = try await task.value
            await client.transfers.invalidate()
            #expect(monitor.events.values == ["paused", "resumed", "resumed", "ended with ok", "invalidated"])
        }
    }
}
