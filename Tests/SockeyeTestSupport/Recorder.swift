import Synchronization

/// Collects the values that closures of several tasks report, in order.
package final class Recorder<Value: Sendable>: Sendable {
    private let list = Mutex<[Value]>([])

    package init() {}

    package var values: [Value] { list.withLock { $0 } }

    package func append(_ value: Value) {
        list.withLock { $0.append(value) }
    }
}
