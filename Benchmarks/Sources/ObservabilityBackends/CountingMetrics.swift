package import CoreMetrics
import Synchronization

/// A metrics factory with handlers that keep a sum and a count.
package final class CountingMetrics: MetricsFactory {
    package init() {}

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler { Handler() }
    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler { Handler() }
    package func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        Handler()
    }
    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler { Handler() }
    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyMeter(_ handler: any MeterHandler) {}
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}

    private final class Handler: CounterHandler, MeterHandler, RecorderHandler, TimerHandler {
        private let sum = Atomic<Int64>(0)
        private let count = Atomic<Int64>(0)

        private func add(_ value: Int64) {
            sum.wrappingAdd(value, ordering: .relaxed)
            count.wrappingAdd(1, ordering: .relaxed)
        }

        func increment(by amount: Int64) { add(amount) }
        func increment(by amount: Double) { add(Int64(amount)) }
        func decrement(by amount: Double) { add(Int64(-amount)) }
        func set(_ value: Int64) { add(value) }
        func set(_ value: Double) { add(Int64(value)) }
        func record(_ value: Int64) { add(value) }
        func record(_ value: Double) { add(Int64(value)) }
        func recordNanoseconds(_ duration: Int64) { add(duration) }
        func reset() {}
    }
}
