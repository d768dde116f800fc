public import HTTPTypes
import SockeyeCore
public import SockeyeEngine
public import SockeyeHTTP
import Synchronization

/// Whether the network is in use, smoothed for people who look at it: a monitor that counts calls in flight. The counterpart
/// of `AFNetworkActivityIndicatorManager`.
///
/// ```swift
/// let activity = NetworkActivity()
/// let client = HTTPClient().monitored(by: activity)
/// for await isActive in activity.changes { spinner.isHidden = !isActive }
/// ```
///
/// Activity shows when it has gone on for ``activationDelay`` or comes back within it, and until there has been none for
/// ``completionDelay``. A call counts from its beginning until it fails or the content of its response has been read or given
/// up; redirects, retries and waiting for a connection are part of it. A call of a ``TransferTask`` does not count while the
/// task is paused. Calls of any number of clients and scopes may be counted by one value.
///
/// Each event takes a short lock; a timer runs only during a delay.
public final class NetworkActivity: EventMonitor {
    /// Where the smoothing stands; `AFNetworkActivityManagerState`.
    ///
    /// Never gains a case: these are the four states of `AFNetworkActivityIndicatorManager`.
    public enum State: String, Sendable, Hashable, CaseIterable {
        /// Nothing goes on, and nothing is shown.
        case inactive
        /// Something has begun less than ``NetworkActivity/activationDelay`` ago and is not shown yet.
        case delayingStart
        /// Something goes on and is shown.
        case active
        /// Nothing goes on since less than ``NetworkActivity/completionDelay``; it is shown still.
        case delayingEnd
    }

    /// One for all who use it (`sharedManager`). Clients have to be told: ``HTTPClient/monitored(by:)``.
    public static let shared = NetworkActivity()

    /// How long activity goes on before it shows. Default 1 s.
    public let activationDelay: Duration
    /// How long nothing goes on before it no longer shows. Default 0.17 s.
    public let completionDelay: Duration

    private struct Content {
        var machine: ActivityMachine
        var calls = CallsInFlight()
        /// What was counted by hand.
        var manual = 0
        /// What ``NetworkActivity/onChange`` was told last, and whether it is being told.
        var reported = false
        var isReporting = false
        /// The end that the timer waits for.
        var timerDeadline: MonotonicTime?
        var timer: Task<Void, Never>?

        var count: Int { calls.count + manual }
        var isShown: Bool { machine.phase == .active || machine.phase == .delayingEnd }

        /// What is to be reported now, by this caller; nil where there is nothing, or somebody is at it.
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

    /// Makes one that has counted nothing.
    ///
    /// - Parameters:
    ///   - activationDelay: How long activity goes on before it shows; zero shows it at once.
    ///   - completionDelay: How long nothing goes on before it no longer shows.
    ///   - onChange: Called with each change of ``isActive``, by the task whose event it was or by the timer; it should return
    ///     soon (`setNetworkingActivityActionWithBlock:`).
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

    // MARK: Looking

    /// Whether activity shows at this moment (`networkActivityIndicatorVisible`).
    public var isActive: Bool { broadcast.status }

    /// Where the smoothing stands.
    public var state: State { content.withLock { $0.machine.phase } }

    /// How many calls are in flight, with what was counted by ``increment()`` (`activityCount`).
    public var count: Int { content.withLock { $0.count } }

    /// ``isActive`` now, and each time it changes. The latest counts: who iterates slowly misses those in between. Any number
    /// of tasks may iterate, each its own value of this property. Ends with the activity.
    public var changes: AsyncStream<Bool> { broadcast.changes() }

    // MARK: Counting

    /// Counts something that no client knows of (`incrementActivityCount`).
    public func increment() {
        change { $0.manual += 1 }
    }

    /// Ends what ``increment()`` counted; without it nothing (`decrementActivityCount`).
    public func decrement() {
        change { $0.manual = max(0, $0.manual - 1) }
    }

    private func change(_ body: (inout Content) -> Void) {
        let hasChanged = content.withLock { content in
            let before = content.count
            body(&content)
            guard (content.count > 0) != (before > 0) else { return false }
            content.machine.set(isOccurring: content.count > 0, at: clock.time.now)
            settle(&content)
            return true
        }
        if hasChanged { report() }
    }

    private func timerFired(_ deadline: MonotonicTime) {
        content.withLock { content in
            content.timerDeadline = nil
            content.machine.advance(to: max(clock.time.now, deadline))
            settle(&content)
        }
        report()
    }

    /// Shows what is to be shown now, and sets the timer for the end of a delay. Under the lock, so that those who iterate see
    /// no two changes in the wrong order.
    private func settle(_ content: inout Content) {
        broadcast.update(content.isShown)
        let deadline = content.machine.deadline
        guard deadline != content.timerDeadline else { return }
        content.timer?.cancel()
        content.timerDeadline = deadline
        content.timer = deadline.map { deadline in
            // Detached, since the timer is nobody's in particular: it inherits neither priority nor task-local values.
            Task.detached { [weak self, clock] in
                // Without a poller no delay can be kept, and each ends at once.
                try? await clock.sleep(until: deadline)
                guard !Task.isCancelled else { return }
                self?.timerFired(deadline)
            }
        }
    }

    /// Tells ``onChange``: outside the lock, as it may ask anything of this, and one call at a time, so that the last one is
    /// about the latest change.
    private func report() {
        guard let onChange else { return }
        while let isShown = content.withLock({ $0.takeReport() }) {
            onChange(isShown)
            content.withLock { $0.isReporting = false }
        }
    }
}

// MARK: What is counted

extension NetworkActivity {
    /// Counts the call.
    public func callDidStart(_ call: ObservedCall) {
        change { $0.calls.callDidStart(call.id, of: TransferControl.runningTask) }
    }

    /// The call is in flight until this exchange ends.
    public func exchangeDidStart(_ call: ObservedCall, method: HTTPRequest.Method, url: HTTPURL) {
        change { $0.calls.exchangeDidStart(call.id) }
    }

    /// Ends the count of a call that has returned.
    public func exchangeDidEnd(_ call: ObservedCall, metrics: ExchangeMetrics) {
        change { $0.calls.exchangeDidEnd(call.id) }
    }

    /// Ends the count of a call that failed, or whose content is there.
    public func callDidReturn(_ call: ObservedCall, _ outcome: Result<IncomingResponse, SockeyeError>) {
        let isAnswered = if case .success = outcome { true } else { false }
        change { $0.calls.callDidReturn(call.id, isAnswered: isAnswered) }
    }

    /// Stops counting the calls of the task.
    public func taskDidPause(_ id: UInt64, _ kind: TransferKind) {
        change { $0.calls.taskDidPause(id) }
    }

    /// Counts the calls of the task again.
    public func taskDidResume(_ id: UInt64, _ kind: TransferKind) {
        change { $0.calls.taskDidGoOn(id) }
    }

    /// Forgets the task.
    public func taskDidEnd(_ id: UInt64, _ kind: TransferKind, _ error: SockeyeError?) {
        change { $0.calls.taskDidGoOn(id) }
    }
}
