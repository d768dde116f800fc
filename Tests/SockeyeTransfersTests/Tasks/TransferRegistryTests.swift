import SockeyeCore
import SockeyeTestSupport
import Testing

@testable import Sockeye
@testable import SockeyeTransfers

/// Each test adds dummy tasks to a registry. No request is sent.
@Suite("The registry of tasks", .timeLimit(.minutes(1))) struct TransferRegistryTests {
    /// A task that ends as soon as it is cancelled.
    private final class Handle: TransferHandle {
        let id = TransferRegistry.nextID()
        let kind = TransferKind.data
        private let name: String
        private let registry: TransferRegistry
        private let events: Recorder<String>
        private let ended = OneShotEvent()

        init(_ name: String, _ registry: TransferRegistry, _ events: Recorder<String>) {
            self.name = name
            self.registry = registry
            self.events = events
        }

        func takeTurn() { events.append("\(name) starts") }

        func cancel() async {
            events.append("\(name) is cancelled")
            end()
        }

        func end() {
            registry.remove(id)
            ended.happen()
        }

        func waitUntilEnded() async {
            events.append("\(name) is awaited")
            await ended.wait()
        }
    }

    @Test("while all tasks are cancelled, no waiting task starts, whatever its priority", arguments: [false, true])
    func cancellingAll(invalidating: Bool) async {
        let registry = TransferRegistry(limit: 1)
        let events = Recorder<String>()
        let ranks: [(String, TransferPriority)] = [("low", .low), ("first", .low), ("high", .high), ("last", .low)]
        for (name, priority) in ranks {
            #expect(registry.add(Handle(name, registry, events), priority: priority, after: []))
        }
        let transfers = HTTPClient.Transfers(registry: registry, monitors: [])
        if invalidating { await transfers.invalidate(cancelling: true) } else { await transfers.cancelAll() }
        let cancelled = ["low", "first", "high", "last"].map { "\($0) is cancelled" }
        // A task may take long to end, so all tasks are cancelled before the end of the first one is awaited.
        let awaited = invalidating ? ["low", "first", "high", "last"].map { "\($0) is awaited" } : []
        #expect(events.values == ["low starts"] + cancelled + awaited)
        #expect(registry.tasks.isEmpty)
    }

    @Test("after all tasks were cancelled, new tasks start")
    func afterCancellingAll() async {
        let registry = TransferRegistry(limit: 1)
        let events = Recorder<String>()
        #expect(registry.add(Handle("old", registry, events), priority: .standard, after: []))
        _ = await registry.cancelAll()
        #expect(registry.add(Handle("new", registry, events), priority: .standard, after: []))
        #expect(events.values == ["old starts", "old is cancelled", "new starts"])
    }

    @Test("a paused task that had its turn reports that, and another task starts in its place")
    func pausing() async {
        let registry = TransferRegistry(limit: 1)
        let events = Recorder<String>()
        let (first, second) = (Handle("first", registry, events), Handle("second", registry, events))
        #expect(registry.add(first, priority: .standard, after: []))
        #expect(registry.add(second, priority: .standard, after: []))
        #expect(registry.pause(first.id))
        #expect(!registry.pause(first.id))
        registry.resume(first.id)
        #expect(events.values == ["first starts", "second starts"])
        second.end()
        #expect(events.values == ["first starts", "second starts", "first starts"])
        first.end()
    }

    @Test("a task starts after the end of a task of another client that it depends on")
    func otherClient() async {
        let (registry, other) = (TransferRegistry(limit: nil), TransferRegistry(limit: nil))
        let events = Recorder<String>()
        func started() -> [String] { events.values.filter { $0.hasSuffix("starts") } }
        let first = Handle("first", other, events)
        #expect(other.add(first, priority: .standard, after: []))
        #expect(registry.add(Handle("second", registry, events), priority: .standard, after: [first.id]))
        #expect(started() == ["first starts"])
        first.end()
        await eventually("the second task starts") { started() == ["first starts", "second starts"] }
        // A task that has ended delays no other task.
        #expect(registry.add(Handle("third", registry, events), priority: .standard, after: [first.id]))
        #expect(started().last == "third starts")
        for task in registry.tasks { await task.cancel() }
    }
}
