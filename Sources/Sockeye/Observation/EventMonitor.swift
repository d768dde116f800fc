/// An observer of calls and tasks (`TransferTask` of SockeyeTransfers), for logs, metrics, tracing and tests. It cannot
/// change calls or tasks.
///
/// ```swift
/// struct SlowCalls: EventMonitor {
///     let kinds: ClientEvent.Kinds = .callReturned
///     func handle(_ event: ClientEvent) {
///         if case .callReturned(let end) = event, end.duration > .seconds(1) {
///             print(event)
///         }
///     }
/// }
/// let client = HTTPClient().monitored(by: SlowCalls())
/// ```
///
/// Add a monitor to a client (``ClientConfiguration/monitors``), or derive a client that has the monitor
/// (``HTTPClient/monitored(by:)``). An ``Interceptor`` that is also a monitor receives the events of the calls that it
/// intercepts, but no events of tasks.
///
/// A minor version may add kinds of events, and requirements with a default; see <doc:Stability>.
public protocol EventMonitor: Sendable {
    /// The kinds of events that ``handle(_:)`` receives. Events of other kinds are not created. Default: all.
    ///
    /// This property is read when a client is created or derived, at the start of each call, and before each event of a
    /// task. If a monitor wants no kind of ``ClientEvent/Kinds/calls`` when the client is created, it receives no
    /// events of the calls of that client. If ``monitor(of:)`` returns another monitor, the kinds of that monitor apply
    /// to the call.
    var kinds: ClientEvent.Kinds { get }

    /// Returns the monitor for a call that starts now. Called on the caller's Swift task. Default: this monitor.
    ///
    /// A monitor that keeps state for each call returns a new object here. Return nil to ignore the call. Not called if
    /// the monitor wants no kind of ``ClientEvent/Kinds/calls``.
    func monitor(of call: ObservedCall) -> (any EventMonitor)?

    /// Handles an event. The code that performs the reported step calls this method synchronously, on its own Swift
    /// task or thread. Events of one call arrive in order, and the call waits until this method returns.
    func handle(_ event: ClientEvent)
}

extension EventMonitor {
    /// All kinds.
    public var kinds: ClientEvent.Kinds { .all }

    /// Returns this monitor.
    public func monitor(of call: ObservedCall) -> (any EventMonitor)? { self }
}

/// A monitor that passes events to a closure.
struct ClosureMonitor: EventMonitor {
    let kinds: ClientEvent.Kinds
    let body: @Sendable (ClientEvent) -> Void

    func handle(_ event: ClientEvent) { body(event) }
}

extension [any EventMonitor] {
    /// Passes an event to the monitors that want its kind.
    package func tell(_ kind: ClientEvent.Kinds, _ event: @autoclosure () -> ClientEvent) {
        var made: ClientEvent?
        for monitor in self where !monitor.kinds.isDisjoint(with: kind) {
            let current = made ?? event()
            made = current
            monitor.handle(current)
        }
    }
}
