import Synchronization
package import Tracing

/// A tracer that records one of several traces, drops its spans when they end, and propagates the context of all traces
/// as W3C Trace Context. Like an SDK with a parent-based sampler, it decides once for each trace, and a span that is
/// not recorded has its own id.
package struct SamplingTracer: Tracer {
    /// One trace of this many is recorded.
    private let period: UInt64

    /// - Parameter period: One trace of this many is recorded; 1 for all.
    package init(oneOf period: UInt64) { self.period = period }

    package func startSpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> InstrumentationContext, ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
    ) -> DroppedSpan {
        var context = context()
        let (number, id) = Self.nextID()
        let parent = context[TraceKey.self]
        let isRecorded = parent?.isRecorded ?? (number % period == 0)
        context[TraceKey.self] = TraceKey.Value(trace: parent?.trace ?? id, span: id, isRecorded: isRecorded)
        return isRecorded ? .recorded(RecordedSpan(operationName, context)) : .skipped(context)
    }

    private static let lastID = Atomic<UInt64>(0)

    /// Returns a unique number, and another one with evenly distributed bits (Fibonacci hashing). The kernel's random
    /// numbers would be most of the cost.
    private static func nextID() -> (UInt64, UInt64) {
        let number = lastID.wrappingAdd(1, ordering: .relaxed).newValue
        return (number, number &* 0x9E37_79B9_7F4A_7C15)
    }

    package func forceFlush() {}

    package func inject<Carrier, Inject>(
        _ context: InstrumentationContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject: Injector, Carrier == Inject.Carrier {
        guard let value = context[TraceKey.self] else { return }
        injector.inject(Self.traceparent(value), forKey: "traceparent", into: &carrier)
    }

    package func extract<Carrier, Extract>(
        _ carrier: Carrier, into context: inout InstrumentationContext, using extractor: Extract
    ) where Extract: Extractor, Carrier == Extract.Carrier {}

    /// Returns a traceparent field: `00-`, 32 digits, `-`, 16 digits, `-01` or `-00`.
    private static func traceparent(_ value: TraceKey.Value) -> String {
        String(unsafeUninitializedCapacity: 55) { bytes in
            let parts: [(start: Int, value: UInt64)] = [(3, value.trace), (19, value.trace), (36, value.span)]
            bytes.initialize(repeating: UInt8(ascii: "-"))
            for index in [0, 1, 53] { bytes[index] = UInt8(ascii: "0") }
            bytes[54] = UInt8(ascii: value.isRecorded ? "1" : "0")
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
        let isRecorded: Bool
    }
}

/// A span of ``SamplingTracer``.
package enum DroppedSpan: Span {
    case recorded(RecordedSpan)
    /// A span of a trace that is not recorded.
    case skipped(InstrumentationContext)

    package var context: InstrumentationContext {
        switch self {
        case .recorded(let span): span.context
        case .skipped(let context): context
        }
    }

    private var record: RecordedSpan? {
        if case .recorded(let span) = self { span } else { nil }
    }

    package var isRecording: Bool { record != nil }

    package var operationName: String {
        get { record?.values.withLock(\.operationName) ?? "" }
        nonmutating set { record?.values.withLock { $0.operationName = newValue } }
    }

    package var attributes: SpanAttributes {
        get { record?.values.withLock(\.attributes) ?? [:] }
        nonmutating set { record?.values.withLock { $0.attributes = newValue } }
    }

    package func setStatus(_ status: SpanStatus) { record?.values.withLock { $0.status = status } }
    package func addEvent(_ event: SpanEvent) {}
    package func addLink(_ link: SpanLink) {}
    package func recordError<Instant: TracerInstant>(
        _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
    ) {}
    package func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {}
}

/// The values of a span that is recorded.
package final class RecordedSpan: Sendable {
    struct Values: Sendable {
        var operationName: String
        var attributes: SpanAttributes = [:]
        var status: SpanStatus?
    }

    let context: InstrumentationContext
    let values: Mutex<Values>

    init(_ operationName: String, _ context: InstrumentationContext) {
        self.context = context
        values = Mutex(Values(operationName: operationName))
    }
}
