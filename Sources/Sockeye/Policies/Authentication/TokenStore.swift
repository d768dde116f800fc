import SockeyeCore
import SockeyeEngine
import SockeyeHTTP
import SockeyeNet
import Synchronization

/// A token store with single flight: all requests that wait for a new token share one call of the provider.
final class TokenStore: Sendable {
    private typealias Fetch = InFlightOperation<BearerTokenMachine.Issued, SockeyeError>

    private struct State {
        var machine: BearerTokenMachine
        /// The token passed to the initializer, if any; nil after its first use. Its lifetime starts at that use.
        var initial: AuthenticationPolicy.Token?
        /// The running call of the provider and the time at which it is given up; nil if no call runs.
        var fetch: (operation: Fetch, end: MonotonicTime)?
    }

    private enum Step {
        case use(BearerTokenMachine.Issued)
        case join(Fetch, end: MonotonicTime)
        case start(Fetch, end: MonotonicTime)
        case tooMany
    }

    private let refresh: AuthenticationPolicy.Token.Refresh
    private let provider: @Sendable () async throws -> AuthenticationPolicy.Token
    private let state: Mutex<State>

    /// The fetches that the current task performs, in any store. Tasks that a provider starts inherit the list and may
    /// outlive the fetch, so ``isReentrant`` ignores fetches that have ended.
    @TaskLocal private static var fetches: [Fetch] = []

    init(
        _ initial: AuthenticationPolicy.Token?, _ refresh: AuthenticationPolicy.Token.Refresh,
        _ provider: @escaping @Sendable () async throws -> AuthenticationPolicy.Token
    ) {
        self.refresh = refresh
        self.provider = provider
        var limits = BearerTokenMachine.Limits()
        limits.leeway = refresh.leeway
        limits.maximumRefreshes = refresh.maximumCount
        limits.window = refresh.window
        state = Mutex(State(machine: BearerTokenMachine(limits), initial: initial))
    }

    /// True if the current task runs this store's provider. If the task waited for a token, the provider would wait for
    /// its own result.
    var isReentrant: Bool { !Self.fetches.isEmpty && state.withLock { Self.isReentrant($0) } }

    private static func isReentrant(_ state: State) -> Bool {
        guard let running = state.fetch?.operation else { return false }
        return fetches.contains { $0 === running }
    }

    /// If the store has a valid token, adds it to the fields of a request and returns true. The provider's own requests
    /// never get a token.
    func addToken(to fields: inout FieldLineBuffer, at time: TimeSource) -> Bool {
        // Copies the token's field into `fields` while the lock is held. If the closure returned the token instead, all
        // threads would modify the token's reference count, which costs more than the copy.
        state.withLock { state in
            if Self.isReentrant(state) { return false }
            if let token = state.machine.unlimited {
                fields.append(token.authorization)
                return true
            }
            guard state.initial == nil, case .use(let token) = state.machine.action(at: time.now) else { return false }
            fields.append(token.authorization)
            return true
        }
    }

    /// Marks a token as rejected, so that the next request fetches a new one.
    func markRejected(_ generation: Int) {
        state.withLock { $0.machine.markRejected(generation) }
    }

    /// Returns the current token, or fetches a new one.
    ///
    /// - Parameter refused: The number (generation) of the token that a server rejected; nil if no token was rejected.
    func token(
        insteadOf refused: Int? = nil, in call: Call
    ) async throws(SockeyeError) -> BearerTokenMachine.Issued {
        let time = call.shared.time
        let now = time.now
        let step = try state.withLock { state throws(SockeyeError) in
            if let initial = state.initial.take() { _ = try Self.store(initial, at: now, in: &state.machine) }
            return decide(&state, at: now, refused: refused)
        }
        switch step {
        case .use(let token): return token
        case .tooMany: throw tooManyRefreshes
        case .join(let operation, let end):
            do throws(SockeyeError) {
                return try await outcome(of: operation, until: end, in: call)
            } catch  where error.code == .shutDown {
                // The client that started the fetch has ended. This client may still be able to fetch a token.
                return try await token(insteadOf: refused, in: call)
            }
        case .start(let operation, let end):
            if !start(operation, time, in: call) {
                // The provider was not called, so this does not count toward `maximumCount`.
                state.withLock { $0.machine.refreshWasCancelled(begunAt: now) }
            }
            return try await outcome(of: operation, until: end, in: call)
        }
    }

    private func decide(_ state: inout State, at now: MonotonicTime, refused: Int?) -> Step {
        switch state.machine.action(at: now, refused: refused) {
        case .use(let token): return .use(token)
        case .refresh, .tooMany:
            if let (operation, end) = state.fetch {
                if now < end { return .join(operation, end: end) }
                operation.abandon()
                state.fetch = nil
            }
        }
        guard case .refresh = state.machine.action(at: now, refused: refused) else { return .tooMany }
        let fetch = Fetch()
        let end = now.advanced(by: refresh.timeout)
        state.machine.refreshBegan(at: now)
        state.fetch = (fetch, end)
        return .start(fetch, end: end)
    }

    /// Starts a fetch in a task of its own, because all waiting and later calls share the token.
    ///
    /// The task is cancelled when the client of the call ends, and after the timeout. It continues even if no call
    /// waits for it any more.
    ///
    /// - Returns: False if the client has ended, so that no task was started.
    private func start(_ operation: Fetch, _ time: TimeSource, in call: Call) -> Bool {
        let fetches = Self.fetches + [operation]
        let task = call.inBackground(
            within: refresh.timeout, isAwaited: true,
            work: { [self] in
                let result: Result<AuthenticationPolicy.Token, SockeyeError>
                do {
                    result = .success(try await Self.$fetches.withValue(fetches) { try await provider() })
                } catch {
                    // ``ended(_:_:)`` knows the reason of the cancellation and is called next.
                    guard !Task.isCancelled else { return }
                    result = .failure(.authenticationFailed("the token provider failed", error))
                }
                operation.finish(finish(operation, result, time))
            }, ended: { [self] in ended(operation, $0) })
        if let task { operation.carriedOut(by: task) }
        return task != nil
    }

    /// Fails a fetch if its task could not be started or was cancelled before the provider returned.
    private func ended(_ operation: Fetch, _ ending: BackgroundWork.Ending) {
        let isOpen = state.withLock { state in
            guard state.fetch?.operation === operation else { return false }
            state.fetch = nil
            return true
        }
        guard isOpen else { return }
        operation.finish(.failure(ending == .clientEnded ? .clientEnded : refreshTimeout))
    }

    private var refreshTimeout: SockeyeError { .timeout(.prepare, configured: refresh.timeout, name: "refresh") }

    /// Stores the provider's token. If the fetch has been given up meanwhile, because its timeout has passed or its
    /// client has ended, discards the token and returns the error of the timeout.
    private func finish(
        _ operation: Fetch, _ outcome: Result<AuthenticationPolicy.Token, SockeyeError>, _ time: TimeSource
    ) -> Fetch.Outcome {
        let now = time.now
        return state.withLock { state in
            guard state.fetch?.operation === operation else {
                return .failure(refreshTimeout)
            }
            state.fetch = nil
            return outcome.flatMap { token in
                Result { () throws(SockeyeError) in try Self.store(token, at: now, in: &state.machine) }
            }
        }
    }

    private static func store(
        _ token: AuthenticationPolicy.Token, at now: MonotonicTime, in machine: inout BearerTokenMachine
    ) throws(SockeyeError) -> BearerTokenMachine.Issued {
        let credential = Credential.bearer(token.text)
        return machine.refreshSucceeded(try credential.checkedField, lifetime: token.lifetime, at: now)
    }

    private func outcome(
        of operation: Fetch, until end: MonotonicTime, in call: Call
    ) async throws(SockeyeError) -> BearerTokenMachine.Issued {
        let context = call.shared
        let outcome: Fetch.Outcome
        do throws(TransportError) {
            outcome = try await operation.outcome(until: min(end, context.deadline), poller: context.poller())
        } catch {
            guard error == .timedOut else { throw SockeyeError(error, phase: .prepare) }
            throw context.deadline <= end
                ? context.timedOut(in: .prepare) : refreshTimeout
        }
        return try outcome.get()
    }

    private var tooManyRefreshes: SockeyeError {
        var fields = SockeyeError.Fields(
            .limitExceeded, phase: .prepare, blame: .policy, message: "the token provider was called too often")
        fields.limit = .init(
            "maximumCount", configured: "\(refresh.maximumCount) in \(refresh.window)", seen: refresh.maximumCount + 1)
        return SockeyeError(fields)
    }
}

extension SockeyeError {
    /// The client that started the fetch was shut down or released.
    fileprivate static var clientEnded: SockeyeError {
        SockeyeError(
            Fields(
                .shutDown, phase: .prepare, blame: .caller,
                message: "the client was shut down or released while it fetched a token"))
    }
}
