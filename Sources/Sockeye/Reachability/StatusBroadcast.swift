import Synchronization

/// Broadcasts a status to readers. Each reader has a stream, which buffers only the newest status.
package final class StatusBroadcast<Status: Sendable & Equatable>: Sendable {
    private struct State {
        var status: Status
        /// The streams by the id of their reader.
        var readers: [Int: AsyncStream<Status>.Continuation] = [:]
        /// The id of the latest reader.
        var lastReader = 0
        var hasEnded = false
    }

    private let state: Mutex<State>
    private let onChange: (@Sendable (Status) -> Void)?

    package init(_ status: Status, _ onChange: (@Sendable (Status) -> Void)? = nil) {
        state = Mutex(State(status: status))
        self.onChange = onChange
    }

    package var status: Status { state.withLock(\.status) }

    package var readerCount: Int { state.withLock { $0.readers.count } }

    package func changes() -> AsyncStream<Status> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Status.self, bufferingPolicy: .bufferingNewest(1))
        let id = state.withLock { state -> Int? in
            continuation.yield(state.status)
            guard !state.hasEnded else { return nil }
            state.lastReader += 1
            state.readers[state.lastReader] = continuation
            return state.lastReader
        }
        guard let id else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in self?.remove(id) }
        return stream
    }

    private func remove(_ id: Int) {
        state.withLock { _ = $0.readers.removeValue(forKey: id) }
    }

    package func update(_ status: Status) {
        let hasChanged = state.withLock { state in
            guard state.status != status, !state.hasEnded else { return false }
            state.status = status
            // The readers get the status under the lock, so that no reader sees two changes in the wrong order.
            for reader in state.readers.values { reader.yield(status) }
            return true
        }
        if hasChanged { onChange?(status) }
    }

    package func end() {
        let readers = state.withLock { state in
            state.hasEnded = true
            defer { state.readers = [:] }
            return Array(state.readers.values)
        }
        for reader in readers { reader.finish() }
    }
}
