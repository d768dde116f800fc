import SockeyeEngine

/// A monitor that records every exchange from its metrics, without events: creating an event would cost more than
/// recording the exchange.
package protocol ExchangeRecorder: EventMonitor, AnyObject {
    /// Records the start of an exchange. The recorder gets no ``ClientEvent/exchangeStarted(_:)``.
    func exchangeStarted(_ exchange: CallMetrics.Exchange, of call: ObservedCall)
    /// Records the end of an exchange. The recorder gets no ``ClientEvent/exchangeEnded(_:)``.
    func exchangeEnded(_ exchange: CallMetrics.Exchange, of call: ObservedCall)
}

/// A monitor that makes an object for each call. ``CallObserver/trace`` returns this object.
package protocol CallTracer: EventMonitor {
    /// Starts the trace of a call.
    func trace(of call: ObservedCall) -> any CallTrace
}

/// The monitor that a ``CallTracer`` makes for one call. An object, because existentials of objects are cheap to pass
/// on.
package protocol CallTrace: EventMonitor, AnyObject {}

/// A monitor whose ``EventMonitor/monitor(of:)`` may return the same monitor for every call.
package protocol UniformMonitor: EventMonitor {
    /// The monitor of all calls; nil if ``EventMonitor/monitor(of:)`` must be called for each call.
    var monitorOfAllCalls: (any EventMonitor)? { get }
}

/// A monitor and the kinds of events that it wants.
struct EventListener: Sendable {
    let monitor: any EventMonitor
    let kinds: ClientEvent.Kinds

    init(_ monitor: any EventMonitor, _ kinds: ClientEvent.Kinds) { (self.monitor, self.kinds) = (monitor, kinds) }
}

/// The monitors of a client, including interceptors that are monitors, divided into groups once. For each new call, the
/// client asks only the ``tracer`` and the ``varying`` monitors for a monitor of that call.
final class CallMonitors: Sendable {
    /// The listeners to all calls.
    let uniform: [EventListener]
    private let recorders: [any ExchangeRecorder]
    /// The first monitor that traces calls; further tracers are in ``varying``.
    let tracer: (any CallTracer)?
    /// The monitors that may have a separate monitor for each call.
    let varying: [any EventMonitor]
    /// The union of the kinds of ``uniform``.
    let kinds: ClientEvent.Kinds

    /// - Parameter monitors: All monitors; those that want no events of calls are ignored.
    init(_ monitors: [any EventMonitor]) {
        var (uniform, recorders, varying): ([EventListener], [any ExchangeRecorder], [any EventMonitor]) = ([], [], [])
        var tracer: (any CallTracer)?
        for monitor in monitors where !monitor.kinds.isDisjoint(with: .calls) {
            if tracer == nil, let first = monitor as? any CallTracer {
                tracer = first
                continue
            }
            guard let own = (monitor as? any UniformMonitor)?.monitorOfAllCalls else {
                varying.append(monitor)
                continue
            }
            var kinds = own.kinds
            if let recorder = own as? any ExchangeRecorder {
                recorders.append(recorder)
                kinds.subtract([.exchangeStarted, .exchangeEnded])
            }
            uniform.append(EventListener(own, kinds))
        }
        (self.uniform, self.recorders, self.varying, self.tracer) = (uniform, recorders, varying, tracer)
        kinds = uniform.reduce(into: []) { $0.formUnion($1.kinds) }
    }

    /// True if no monitor observes calls.
    var isEmpty: Bool { uniform.isEmpty && varying.isEmpty && tracer == nil }

    /// True if exchanges are recorded without events.
    var hasRecorders: Bool { !recorders.isEmpty }

    func recordStart(of exchange: CallMetrics.Exchange, _ call: ObservedCall) {
        // A span, because iterating an array copies its elements.
        let all = self.recorders
        let recorders = all.span
        for index in recorders.indices { recorders[index].exchangeStarted(exchange, of: call) }
    }

    func recordEnd(of exchange: CallMetrics.Exchange, _ call: ObservedCall) {
        let all = self.recorders
        let recorders = all.span
        for index in recorders.indices { recorders[index].exchangeEnded(exchange, of: call) }
    }

    func deliver(_ event: ClientEvent, _ kind: ClientEvent.Kinds) { uniform.deliver(event, kind) }
}

extension [EventListener] {
    /// Passes an event to the listeners that want its kind.
    func deliver(_ event: ClientEvent, _ kind: ClientEvent.Kinds) {
        // A span, because iterating an array copies its elements.
        let listeners = span
        for index in listeners.indices where !listeners[index].kinds.isDisjoint(with: kind) {
            listeners[index].monitor.handle(event)
        }
    }
}
