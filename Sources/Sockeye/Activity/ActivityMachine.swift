import SockeyeCore

/// A debouncing state machine: activity that is over soon is never shown, and a short rest between two calls does not show
/// either. The states and transitions of `AFNetworkActivityIndicatorManager`. No I/O.
///
/// States: inactive → delayingStart → active ⇄ delayingEnd → inactive. The delay of the start runs to its end, whatever
/// happens meanwhile, and then leads to active or back to inactive; that of the end is over as soon as there is activity.
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

    /// When ``advance(to:)`` is to be called; nil while no delay runs.
    var deadline: MonotonicTime? {
        switch state {
        case .inactive, .active: nil
        case .delayingStart(let end), .delayingEnd(let end): end
        }
    }

    /// There is activity now, or none any more.
    mutating func set(isOccurring: Bool, at now: MonotonicTime) {
        // A delay that has passed has passed, also where its timer is late.
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

    /// Ends a delay that is over; called too early it does nothing.
    mutating func advance(to now: MonotonicTime) {
        guard let deadline, now >= deadline else { return }
        switch state {
        case .delayingStart: state = isOccurring ? .active : .inactive
        case .delayingEnd: state = .inactive
        case .inactive, .active: break
        }
    }
}
