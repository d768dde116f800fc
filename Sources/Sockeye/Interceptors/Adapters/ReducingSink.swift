import SockeyeCore
import SockeyeEngine
import Synchronization

/// Takes the pieces of a body into one value.
final class ReducingSink<Result: Sendable>: BodySink {
    private let state: Mutex<Result>
    private let update: @Sendable (inout Result, Bytes) -> Void

    init(_ initial: Result, _ update: @escaping @Sendable (inout Result, Bytes) -> Void) {
        state = Mutex(initial)
        self.update = update
    }

    var result: Result { state.withLock { $0 } }

    func add(_ bytes: Bytes) {
        guard !bytes.isEmpty else { return }
        state.withLock { update(&$0, bytes) }
    }

    func write<Chunk: Collection<UInt8> & Sendable>(_ chunk: Chunk) async throws(SockeyeError) {
        add((chunk as? Bytes) ?? Bytes(chunk))
    }
}
