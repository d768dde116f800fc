import Sockeye
import SockeyeCore
import SockeyeEngine
import Synchronization

/// A monitor that shows whether the network is in use, smoothed for human viewers. It counts calls in flight. Names in
/// parentheses are those of AFNetworking's counterpart, `AFNetworkActivityIndicatorManager`.
///
/// ```swift
/// let activity = NetworkActivity()
/// let client = HTTPClient().monitored(by: activity)
/// for await isActive in activity.changes { spinner.isHidden = !isActive }
/// ```
///
/// Activity begins when a call starts while no other call is in flight. At the end of ``activationDelay``, activity
/// becomes visible if any call is in flight at that moment. It becomes invisible after ``completionDelay``
/// without any call. A call counts from its start until it fails or the content of its response is read or discarded,
/// including redirects, retries and waiting for a connection. While a `TransferTask` of SockeyeTransfers is paused, its
/// calls do not count. One instance can count the calls of any number of clients, and of the clients made from them
/// with `scoped`.
public final class NetworkActivity: EventMonitor {
    /// The state of the smoothing (`AFNetworkActivityManagerState`).
    ///
    /// Never gains a case: these are the four states of `AFNetworkActivityIndicatorManager`.
    public enum State: String, Sendable, Hashable, CaseIterable {
        /// There is no activity, and nothing is visible.
        case inactive
        /// Activity began less than ``NetworkActivity/activationDelay`` ago and is not visible yet.
        case delayingStart
        /// There is activity, and it is visible.
        case active
        /// Activity ended less than ``NetworkActivity/completionDelay`` ago and is still visible.
        case delayingEnd
    }

    /// An instance for all clients of the process (`sharedManager`). Add it to each client with
    /// ``/Sockeye/HTTPClient/monitored(by:)``.
    public static let shared = NetworkActivity()

    /// The time from the start of activity until it becomes visible. Default: 1 s.
    public let activationDelay: Duration
    /// The time from the end of activity until it becomes invisible. Default: 0.17 s.
    public let completionDelay: Duration

    private struct Content {
        var machine: ActivityMachine
        var calls = CallsInFlight()
        /// The number of ``NetworkActivity/increment()`` calls without a ``NetworkActivity/decrement()``.
        var manual = 0
        /// The value last passed to ``NetworkActivity/onChange``; false before its first call.
        var reported = false
        /// True while ``NetworkActivity/onChange`` runs.
        var isReporting = false
        /// The deadline of the timer; nil if no timer is running.
        var timerDeadline: MonotonicTime?
        var timer: Task<Void, Never>?

        var count: Int { calls.count + manual }
        var isShown: Bool { machine.phase == .active || machine.phase == .delayingEnd }

        /// Returns the value to report; nil if it has not changed or another caller is reporting.
        mutating func takeReport() -> Bool? {
            guard isShown != reported, !isReporting else { return nil }
            reported = isShown
            isReporting = true
            return isShown
        }
    }

    private let content: Mutex<Content>
    private let broadcast: StatusBroadcast<Bool>
    private let clock: CallClock
    private let onChange: (@Sendable (_ isActive: Bool) -> Void)?

    /// Creates a monitor.
    ///
    /// - Parameters:
    ///   - activationDelay: The time from the start of activity until it becomes visible; zero shows it at once.
    ///   - completionDelay: The time from the end of activity until it becomes invisible.
    ///   - onChange: Called with the new value after a change of ``isActive``, on the task that caused the change or on
    ///     the timer's task. Changes while the closure runs are combined: the closure is then called at most once
    ///     more. The closure should return quickly. The counterpart of `setNetworkingActivityActionWithBlock:`.
    public convenience init(
        activationDelay: Duration = .seconds(1), completionDelay: Duration = .milliseconds(170),
        onChange: (@Sendable (_ isActive: Bool) -> Void)? = nil
    ) {
        self.init(
            activationDelay: activationDelay, completionDelay: completionDelay, clock: .system, onChange: onChange)
    }

    package init(
        activationDelay: Duration = .seconds(1), completionDelay: Duration = .milliseconds(170), clock: CallClock,
        onChange: (@Sendable (_ isActive: Bool) -> Void)? = nil
    ) {
        self.activationDelay = activationDelay
        self.completionDelay = completionDelay
        self.clock = clock
        broadcast = StatusBroadcast(false)
        self.onChange = onChange
        content = Mutex(
            Content(machine: ActivityMachine(activationDelay: activationDelay, completionDelay: completionDelay)))
    }

    deinit {
        content.withLock { $0.timer }?.cancel()
        broadcast.end()
    }

    // MARK: State

    /// True if activity is visible at this moment (`networkActivityIndicatorVisible`).
    public var isActive: Bool { broadcast.status }

    /// The state of the smoothing.
    public var state: State { content.withLock { $0.machine.phase } }

    /// The number of calls in flight, plus those counted by ``increment()`` (`activityCount`).
    public var count: Int { content.withLock { $0.count } }

    /// The current value of ``isActive`` and each later value. Only the newest value is buffered, so a slow reader
    /// misses values in between. Any number of tasks may iterate, each over a stream of its own from this property. A
    /// stream ends when this object is deallocated.
    public var changes: AsyncStream<Bool> { broadcast.changes() }

    // MARK: Counting

    /// Counts network use outside of the observed clients (`incrementActivityCount`).
    public func increment() {
        change { $0.manual += 1 }
    }

    /// Reverts one ``increment()``; does nothing without one (`decrementActivityCount`).
    public func decrement() {
        change { $0.manual = max(0, $0.manual - 1) }
    }

    private func change(_ body: (inout Content) -> Void) {
        let hasChanged = content.withLock { content in
            let before = content.count
            body(&content)
            guard (content.count > 0) != (before > 0) else { return false }
            content.machine.set(isOccurring: content.count > 0, at: clock.time.now)
            publish(&content)
            return true
        }
        if hasChanged { report() }
    }

    private func timerFired(_ deadline: MonotonicTime) {
        content.withLock { content in
            content.timerDeadline = nil
            content.machine.advance(to: max(clock.time.now, deadline))
            publish(&content)
        }
        report()
    }

    /// Publishes the visibility, and sets the timer for the end of a delay. Called under the lock, so that no reader of
    /// ``changes`` sees two changes in the wrong order.
    private func publish(_ content: inout Content) {
        broadcast.update(content.isShown)
        let deadline = content.machine.deadline
        guard deadline != content.timerDeadline else { return }
        content.timer?.cancel()
        content.timerDeadline = deadline
        content.timer = deadline.map { deadline in
            // Detached, so that the timer does not inherit priority and task-local values of the task that reports the
            // event.
            Task.detached { [weak self, clock] in
                // `sleep` throws if it is cancelled, or if the system has no resources left for a timer. In the second
                // case the delay ends at once.
                try? await clock.sleep(until: deadline)
                guard !Task.isCancelled else { return }
                self?.timerFired(deadline)
            }
        }
    }

    /// Calls ``onChange`` outside the lock, because the closure may use this object. Only one call runs at a time, so
    /// that the last call reports the latest value.
    private func report() {
        guard let onChange else { return }
        while let isShown = content.withLock({ $0.takeReport() }) {
            onChange(isShown)
            content.withLock { $0.isReporting = false }
        }
    }
}

// MARK: Events

extension NetworkActivity {
    /// The events of the start and end of calls and exchanges, and of the pause, resumption and end of tasks.
    public var kinds: ClientEvent.Kinds {
        [
            .callStarted, .exchangeStarted, .exchangeEnded, .callReturned, .taskResumed, .taskPaused, .taskEnded,
        ]
    }

    /// Updates the set of calls in flight and the smoothing.
    public func handle(_ event: ClientEvent) {
        switch event {
        case .callStarted(let start): change { $0.calls.callDidStart(start.call.id, of: start.task) }
        case .exchangeStarted(let exchange): change { $0.calls.exchangeDidStart(exchange.call.id) }
        case .exchangeEnded(let exchange): change { $0.calls.exchangeDidEnd(exchange.call.id) }
        case .callReturned(let end):
            let isAnswered = if case .success = end.outcome { true } else { false }
            change { $0.calls.callDidReturn(end.call.id, isAnswered: isAnswered) }
        case .taskPaused(let task): change { $0.calls.taskDidPause(task.id) }
        case .taskResumed(let task): change { $0.calls.taskDidResume(task.id) }
        case .taskEnded(let end): change { $0.calls.taskDidResume(end.task.id) }
        default: break
        }
    }
}
