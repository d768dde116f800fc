import SockeyeCore

/// A debouncing state machine that hides short activity and short gaps between two calls. It has the states and
/// transitions of `AFNetworkActivityIndicatorManager`, and does no I/O.
///
/// States: inactive → delayingStart → active ⇄ delayingEnd → inactive. The start delay always runs to its end, and then
/// leads to active or back to inactive. The end delay stops as soon as there is activity.
struct ActivityMachine {
    private enum State {
        case inactive
        case delayingStart(until: MonotonicTime)
        case active
        case delayingEnd(until: MonotonicTime)
    }

    let activationDelay: Duration
    let completionDelay: Duration
    private var state = State.inactive
    private var isOccurring = false

    init(activationDelay: Duration, completionDelay: Duration) {
        self.activationDelay = activationDelay
        self.completionDelay = completionDelay
    }

    var phase: NetworkActivity.State {
        switch state {
        case .inactive: .inactive
        case .delayingStart: .delayingStart
        case .active: .active
        case .delayingEnd: .delayingEnd
        }
    }

    /// The time at which to call ``advance(to:)``; nil if no delay is running.
    var deadline: MonotonicTime? {
        switch state {
        case .inactive, .active: nil
        case .delayingStart(let end), .delayingEnd(let end): end
        }
    }

    /// Records whether there is activity now.
    mutating func set(isOccurring: Bool, at now: MonotonicTime) {
        // A delay that is over must end before the change is recorded, even if the timer of the delay is late.
        advance(to: now)
        self.isOccurring = isOccurring
        switch state {
        case .inactive where isOccurring: state = .delayingStart(until: now.advanced(by: activationDelay))
        case .active where !isOccurring: state = .delayingEnd(until: now.advanced(by: completionDelay))
        case .delayingEnd where isOccurring: state = .active
        case .inactive, .delayingStart, .active, .delayingEnd: break
        }
        advance(to: now)
    }

    /// Ends the running delay if its time is over.
    mutating func advance(to now: MonotonicTime) {
        guard let deadline, now >= deadline else { return }
        switch state {
        case .delayingStart: state = isOccurring ? .active : .inactive
        case .delayingEnd: state = .inactive
        case .inactive, .active: break
        }
    }
}
