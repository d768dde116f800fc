import SockeyeCore
import SockeyeEngine
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
    /// Those that begin and end calls, and that pause and resume tasks.
    public var kinds: ClientEvent.Kinds {
        [
            .callStarted, .exchangeStarted, .exchangeEnded, .callReturned, .taskResumed, .taskPaused, .taskEnded,
        ]
    }

    /// Counts a call until it failed or its content was read, without calls of paused tasks.
    public func handle(_ event: ClientEvent) {
        switch event {
        case .callStarted(let start): change { $0.calls.callDidStart(start.call.id, of: start.task) }
        case .exchangeStarted(let exchange): change { $0.calls.exchangeDidStart(exchange.call.id) }
        case .exchangeEnded(let exchange): change { $0.calls.exchangeDidEnd(exchange.call.id) }
        case .callReturned(let end):
            let isAnswered = if case .success = end.outcome { true } else { false }
            change { $0.calls.callDidReturn(end.call.id, isAnswered: isAnswered) }
        case .taskPaused(let task): change { $0.calls.taskDidPause(task.id) }
        case .taskResumed(let task): change { $0.calls.taskDidGoOn(task.id) }
        case .taskEnded(let end): change { $0.calls.taskDidGoOn(end.task.id) }
        default: break
        }
    }
}
