package import SockeyeCore

/// The state machine of a bearer token: decides when to use it, when to refresh it, and when there were too many
/// refreshes.
package struct BearerTokenMachine: Sendable {
    /// The limits on the use of a token and on refreshes.
    package struct Limits: Sendable, Hashable {
        /// A token counts as expired this long before the end of its lifetime. If the leeway exceeds half of the
        /// lifetime, half of the lifetime is used instead.
        package var leeway: Duration = .seconds(30)
        /// The maximum number of refreshes within `window`.
        package var maximumRefreshes = 5
        package var window: Duration = .seconds(30)

        package init() {}
    }

    /// A token, encoded as the Authorization field of requests.
    package struct Issued: Sendable {
        /// The Authorization field. Its ``EncodedField/note`` is the generation. If a server refuses a request, the
        /// note tells which token was sent.
        package let authorization: EncodedField
        /// The number of the token: 1 for the first, one more after each refresh.
        package let generation: Int
    }

    package enum Action: Sendable {
        /// The token may be used.
        case use(Issued)
        /// A new token must be fetched.
        case refresh
        /// A new token must be fetched, but there were too many refreshes.
        case tooMany
    }

    private let limits: Limits
    private var issued: Issued?
    /// The generation that a server refused and that has not been replaced yet.
    private var rejectedGeneration: Int?
    /// The time from which the token counts as expired; nil if its lifetime is unlimited.
    private var usableUntil: MonotonicTime?
    private var generation = 0
    private var refreshes: [MonotonicTime] = []

    package init(_ limits: Limits) {
        self.limits = limits
    }

    /// The token if it has an unlimited lifetime and was not refused, so that it is usable without checking the
    /// clock. Nil otherwise.
    package var unlimited: Issued? { usableUntil == nil && rejectedGeneration == nil ? issued : nil }

    /// Returns the action for a request at `time`.
    ///
    /// - Parameter refused: The generation of the token that a server refused for this request; nil without a refusal.
    package mutating func action(at time: MonotonicTime, refused: Int? = nil) -> Action {
        refreshes.removeAll { time.since($0) >= limits.window }
        let mayRefresh = refreshes.count < limits.maximumRefreshes
        if let issued, issued.generation != refused, usableUntil.map({ time < $0 }) ?? true {
            // After too many refreshes, new requests use the token even if a server refused it for another request.
            // Perhaps only a single resource refuses the token, and without a token all requests would fail.
            return issued.generation == rejectedGeneration && mayRefresh ? .refresh : .use(issued)
        }
        return mayRefresh ? .refresh : .tooMany
    }

    /// Records that a refresh begins.
    package mutating func refreshBegan(at time: MonotonicTime) {
        refreshes.append(time)
    }

    /// Records that a refresh ended before the provider of tokens was called. Such a refresh does not count for the
    /// limit.
    package mutating func refreshWasCancelled(begunAt time: MonotonicTime) {
        if let index = refreshes.lastIndex(of: time) { refreshes.remove(at: index) }
    }

    /// Records the token of a refresh.
    package mutating func refreshSucceeded(
        _ authorization: EncodedField, lifetime: Duration?, at time: MonotonicTime
    ) -> Issued {
        generation += 1
        let token = Issued(authorization: authorization.tagged(generation), generation: generation)
        issued = token
        rejectedGeneration = nil
        usableUntil = lifetime.map { lifetime in
            time.advanced(by: max(.zero, lifetime.subtractingSaturated(min(limits.leeway, lifetime / 2))))
        }
        return token
    }

    /// Marks a token as refused by a server, so that the next request refreshes it.
    package mutating func markRejected(_ generation: Int) {
        if issued?.generation == generation { rejectedGeneration = generation }
    }
}

extension BearerTokenMachine: CustomStringConvertible, CustomReflectable {
    /// States if there is a token, without showing it.
    package var description: String { issued == nil ? "no token" : "a token" }

    /// A mirror of the description only.
    package var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
