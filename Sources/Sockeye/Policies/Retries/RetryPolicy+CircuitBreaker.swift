import SockeyeCore
import SockeyeEngine
public import SockeyeHTTP
import Synchronization

extension RetryPolicy {
    /// Rejects requests to an origin that keeps failing, and probes it with a single request after a while.
    ///
    /// Each origin has a circuit of its own. A number of failures in a row within some time opens the circuit: requests
    /// then fail at once with ``SockeyeError/Code-swift.struct/circuitOpen``. After the cool-down one request is let
    /// through. If it succeeds, the circuit closes; if it fails, the cool-down starts again. The 512 most recently used
    /// failing origins are remembered.
    ///
    /// A failure is an error that the policy's ``RetryPolicy/isTransient`` accepts, or a status of 500 or above in
    /// ``RetryPolicy/statuses``. A response with any other status is a success. Any other error counts as neither. A
    /// cached response counts as neither if the server was not asked. It counts as a failure if the cache returned it
    /// because the server failed. An exchange that several calls share (`CachePolicy.joinsRequests` of SockeyeCache)
    /// counts once.
    ///
    /// A reference type: policies and clients that hold the same breaker share its circuits.
    public final class CircuitBreaker: Sendable {
        private let machine: Mutex<CircuitBreakerMachine>
        package let rules: CircuitBreakerMachine.Rules
        /// True if no failing origin is remembered, so that requests need not take the lock.
        private let isClear = Atomic(true)

        /// Creates a breaker with closed circuits.
        ///
        /// - Parameters:
        ///   - failures: The number of failures in a row that opens a circuit, from 1 to 1000. Default 5.
        ///   - window: The time within which these failures must occur. Default 10 s.
        ///   - coolDown: The time for which a circuit stays open. Default 30 s.
        public init(failures: Int = 5, within window: Duration = .seconds(10), coolDown: Duration = .seconds(30)) {
            rules = CircuitBreakerMachine.Rules(threshold: failures, window: window, coolDown: coolDown)
            machine = Mutex(CircuitBreakerMachine(rules))
        }

        /// Creates a breaker; see ``init(failures:within:coolDown:)``.
        public static func opening(
            after failures: Int = 5, within window: Duration = .seconds(10), coolDown: Duration = .seconds(30)
        ) -> RetryPolicy.CircuitBreaker {
            RetryPolicy.CircuitBreaker(failures: failures, within: window, coolDown: coolDown)
        }

        /// The origins with open circuits, including those being probed, in no particular order.
        public var openOrigins: [HTTPURL.Origin] { machine.withLock { $0.openOrigins } }

        /// Lets a request through, or throws ``SockeyeError/Code-swift.struct/circuitOpen``.
        ///
        /// - Returns: The number for ``OutgoingRequest/asProbe(_:)`` if the request is the probe; nil for any other
        ///   request.
        func admit(_ request: OutgoingRequest, at time: TimeSource) throws(SockeyeError) -> Int? {
            guard !isClear.load(ordering: .relaxed) else { return nil }
            let now = time.now
            switch machine.withLock({ $0.admit(request.url.origin, at: now) }) {
            case .free: return nil
            case .probe(let number): return number
            case .refused(let until): throw refusal(of: request, for: until.since(now))
            }
        }

        /// Returns true if the circuit of an origin will still be open after a pause.
        func isOpen(_ origin: HTTPURL.Origin, after pause: Duration, at time: TimeSource) -> Bool {
            guard !isClear.load(ordering: .relaxed) else { return false }
            let end = time.now.advanced(by: pause)
            return machine.withLock { $0.isOpen(origin, at: end) }
        }

        func succeeded(_ request: OutgoingRequest) {
            guard !isClear.load(ordering: .relaxed) else { return }
            change { $0.succeed(request.url.origin, probe: request.probe) }
        }

        func failed(_ request: OutgoingRequest, at time: TimeSource) {
            let now = time.now
            change { $0.fail(request.url.origin, probe: request.probe, at: now) }
        }

        /// Notes that a request ended without showing whether its origin works.
        func abandoned(_ request: OutgoingRequest, at time: TimeSource) {
            guard !isClear.load(ordering: .relaxed) else { return }
            let now = time.now
            change { $0.abandon(request.url.origin, probe: request.probe, at: now) }
        }

        private func change(_ body: (inout CircuitBreakerMachine) -> Void) {
            machine.withLock { machine in
                body(&machine)
                isClear.store(machine.isClear, ordering: .relaxed)
            }
        }

        private func refusal(of request: OutgoingRequest, for wait: Duration) -> SockeyeError {
            let origin = request.url.origin
            var fields = SockeyeError.Fields(
                .circuitOpen, phase: .prepare, blame: .policy,
                message: "the circuit breaker of \(origin) is open; it allows the next request in \(wait) at the latest"
            )
            fields.limit = .init("failures", configured: "\(rules.threshold) within \(rules.window)")
            fields.request = RequestIdentity(method: request.method.rawValue, url: request.url)
            return SockeyeError(fields)
        }
    }
}

extension OutgoingRequest {
    /// The number that a circuit breaker gave this request as a probe; nil if the request is not a probe.
    fileprivate var probe: Int? { parts.hasRareOptions ? parts.options.circuitProbe : nil }

    /// Returns the request marked as a probe, with the number that the circuit breaker gave it.
    func asProbe(_ number: Int) -> OutgoingRequest {
        var request = self
        request.change { $0.options.circuitProbe = number }
        return request
    }
}
