import SockeyeCore
import SockeyeEngine
public import SockeyeHTTP
import Synchronization

extension RetryPolicy {
    /// Stops sending requests to an origin that only fails, and asks again after a while with a single one.
    ///
    /// Each origin has a circuit of its own. So many failures in a row within some time open it: requests fail at once with
    /// ``SockeyeError/Code-swift.struct/circuitOpen``. When it has cooled down, one request is let through; if that succeeds
    /// the circuit closes, if it fails the wait begins anew. A failure is an error that says nothing good of the way to the
    /// server (``SockeyeError/isTransient``, or what the policy takes for it) and a status from 500 on that is repeated; an
    /// answer of any other status is a success. Of 512 failing origins the ones that were used last are remembered.
    ///
    /// By reference: policies and clients that hold the same breaker share it.
    public final class CircuitBreaker: Sendable {
        private let machine: Mutex<CircuitBreakerMachine>
        package let rules: CircuitBreakerMachine.Rules
        /// Whether no origin has failed lately, so that requests need not take the lock.
        private let isClear = Atomic(true)

        /// Makes a breaker whose circuits are closed.
        ///
        /// - Parameters:
        ///   - failures: How many failures in a row open a circuit, from 1 to 1000. Default 5.
        ///   - window: Within which time. Default 10 s.
        ///   - coolDown: For how long. Default 30 s.
        public init(failures: Int = 5, within window: Duration = .seconds(10), coolDown: Duration = .seconds(30)) {
            rules = CircuitBreakerMachine.Rules(threshold: failures, window: window, coolDown: coolDown)
            machine = Mutex(CircuitBreakerMachine(rules))
        }

        /// A new breaker; see ``init(failures:within:coolDown:)``.
        public static func opening(
            after failures: Int = 5, within window: Duration = .seconds(10), coolDown: Duration = .seconds(30)
        ) -> RetryPolicy.CircuitBreaker {
            RetryPolicy.CircuitBreaker(failures: failures, within: window, coolDown: coolDown)
        }

        /// The origins whose circuits are open, a request that probes one included. In no particular order; for gauges and logs.
        public var openOrigins: [HTTPURL.Origin] { machine.withLock { $0.openOrigins } }

        /// Lets a request through, or throws ``SockeyeError/Code-swift.struct/circuitOpen``.
        func admit(_ request: OutgoingRequest, at time: TimeSource) throws(SockeyeError) {
            guard !isClear.load(ordering: .relaxed) else { return }
            let now = time.now
            guard let until = machine.withLock({ $0.admit(request.url.origin, at: now) }) else { return }
            throw refusal(of: request, for: until.since(now))
        }

        /// Whether an origin is not to be asked, after a pause.
        func isOpen(_ origin: HTTPURL.Origin, after pause: Duration, at time: TimeSource) -> Bool {
            guard !isClear.load(ordering: .relaxed) else { return false }
            let end = time.now.advanced(by: pause)
            return machine.withLock { $0.isOpen(origin, at: end) }
        }

        func succeeded(_ url: HTTPURL) {
            guard !isClear.load(ordering: .relaxed) else { return }
            change { $0.succeed(url.origin) }
        }

        func failed(_ url: HTTPURL, at time: TimeSource) {
            let now = time.now
            change { $0.fail(url.origin, at: now) }
        }

        /// The request ended without telling anything of the origin.
        func abandoned(_ url: HTTPURL, at time: TimeSource) {
            guard !isClear.load(ordering: .relaxed) else { return }
            let now = time.now
            change { $0.abandon(url.origin, at: now) }
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
                message: "\(origin) failed too often and is not asked again for another \(wait)")
            fields.limit = .init("failures", configured: "\(rules.threshold) within \(rules.window)")
            fields.request = RequestIdentity(method: request.method.rawValue, url: request.url)
            return SockeyeError(fields)
        }
    }
}
