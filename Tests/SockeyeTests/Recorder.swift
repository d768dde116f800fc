import Synchronization

/// Collects what callbacks report.
final class Recorder<Value: Sendable>: Sendable {
    private let list = Mutex<[Value]>([])

    var values: [Value] { list.withLock { $0 } }

    func append(_ value: Value) {
        list.withLock { $0.append(value) }
    }
}
