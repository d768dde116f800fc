import CoreMetrics
import Logging
import Synchronization
import Tracing

/// A log handler at the level of a service in production.
struct QuietHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    var logLevel = Logger.Level.info

    func log(event: LogEvent) {}

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }
}

/// A metrics factory with handlers that keep a sum and a count.
final class CountingMetrics: MetricsFactory {
    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler { Handler() }
    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler { Handler() }
    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        Handler()
    }
    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler { Handler() }
    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyMeter(_ handler: any MeterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}

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

/// A tracer that records every span, drops it when it ends, and propagates its context as W3C Trace Context.
struct DroppingTracer: Tracer {
    func startSpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> InstrumentationContext, ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
    ) -> DroppedSpan {
        var context = context()
        let span = Self.nextID()
        context[TraceKey.self] = TraceKey.Value(trace: context[TraceKey.self]?.trace ?? span, span: span)
        return DroppedSpan(operationName, context)
    }

    private static let lastID = Atomic<UInt64>(0)

    /// Returns a unique number with evenly distributed bits (Fibonacci hashing). The kernel's random numbers would be
    /// most of the cost.
    private static func nextID() -> UInt64 {
        lastID.wrappingAdd(1, ordering: .relaxed).newValue &* 0x9E37_79B9_7F4A_7C15
    }

    func forceFlush() {}

    func inject<Carrier, Inject>(
        _ context: InstrumentationContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject: Injector, Carrier == Inject.Carrier {
        guard let value = context[TraceKey.self] else { return }
        injector.inject(Self.traceparent(value), forKey: "traceparent", into: &carrier)
    }

    func extract<Carrier, Extract>(
        _ carrier: Carrier, into context: inout InstrumentationContext, using extractor: Extract
    ) where Extract: Extractor, Carrier == Extract.Carrier {}

    /// Returns a traceparent field: `00-`, 32 digits, `-`, 16 digits, `-01`.
    private static func traceparent(_ value: TraceKey.Value) -> String {
        String(unsafeUninitializedCapacity: 55) { bytes in
            let parts: [(start: Int, value: UInt64)] = [(3, value.trace), (19, value.trace), (36, value.span)]
            bytes.initialize(repeating: UInt8(ascii: "-"))
            for index in [0, 1, 53] { bytes[index] = UInt8(ascii: "0") }
            bytes[54] = UInt8(ascii: "1")
            for part in parts {
                for index in 0..<16 {
                    let digit = UInt8(truncatingIfNeeded: part.value >> (60 - 4 * UInt64(index))) & 15
                    bytes[part.start + index] = digit + (digit < 10 ? 48 : 87)
                }
            }
            return 55
        }
    }
}

private enum TraceKey: InstrumentationContextKey {
    struct Value: Sendable {
        let trace: UInt64
        let span: UInt64
    }
}

final class DroppedSpan: Span {
    private struct State {
        var operationName: String
        var attributes: SpanAttributes = [:]
        var status: SpanStatus?
    }

    let context: InstrumentationContext
    private let state: Mutex<State>

    init(_ operationName: String, _ context: InstrumentationContext) {
        self.context = context
        state = Mutex(State(operationName: operationName))
    }

    var isRecording: Bool { true }

    var operationName: String {
        get { state.withLock { $0.operationName } }
        set { state.withLock { $0.operationName = newValue } }
    }

    var attributes: SpanAttributes {
        get { state.withLock { $0.attributes } }
        set { state.withLock { $0.attributes = newValue } }
    }

    func setStatus(_ status: SpanStatus) { state.withLock { $0.status = status } }
    func addEvent(_ event: SpanEvent) {}
    func addLink(_ link: SpanLink) {}
    func recordError<Instant: TracerInstant>(
        _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
    ) {}
    func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {}
}
