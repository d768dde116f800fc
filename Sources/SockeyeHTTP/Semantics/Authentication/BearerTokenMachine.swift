package import SockeyeCore

/// The state machine of a bearer token's lifetime: when it is used, when refreshed, and when that happened too often.
package struct BearerTokenMachine: Sendable {
    /// The limits on the use of a token and on refreshes.
    package struct Limits: Sendable, Hashable {
        /// How long before its end a token counts as expired; at most half of its lifetime.
        package var leeway: Duration = .seconds(30)
        package var maximumRefreshes = 5
        package var window: Duration = .seconds(30)

        package init() {}
    }

    /// A token as requests take it along.
    package struct Issued: Sendable {
        /// Tagged with its generation.
        package let authorization: EncodedField
        /// Counted from 1.
        package let generation: Int
    }

    package enum Need: Sendable {
        /// The token may be used.
        case use(Issued)
        /// A new one has to be fetched.
        case refresh
        /// It has to be fetched and was too often.
        case tooMany
    }

    private let limits: Limits
    private var issued: Issued?
    /// The generation that a server refused and that has not been refreshed yet.
    private var suspect: Int?
    private var usableUntil: MonotonicTime?
    private var generation = 0
    private var refreshes: [MonotonicTime] = []

    package init(_ limits: Limits) {
        self.limits = limits
    }

    /// The token without a look at the clock, where it needs none.
    package var unlimited: Issued? { usableUntil == nil && suspect == nil ? issued : nil }

    /// What a request needs that comes at `time`.
    ///
    /// - Parameter refused: The generation that the server did not take, if the request was sent already.
    package mutating func need(at time: MonotonicTime, refused: Int? = nil) -> Need {
        refreshes.removeAll { time.since($0) >= limits.window }
        let mayRefresh = refreshes.count < limits.maximumRefreshes
        if let issued, issued.generation != refused, usableUntil.map({ time < $0 }) ?? true {
            // It may be that one resource alone refuses it: better than to fail all.
            return issued.generation == suspect && mayRefresh ? .refresh : .use(issued)
        }
        return mayRefresh ? .refresh : .tooMany
    }

    /// Notes that a refresh begins.
    package mutating func began(at time: MonotonicTime) {
        refreshes.append(time)
    }

    /// Notes the token that came of it.
    package mutating func succeeded(
        _ authorization: EncodedField, lifetime: Duration?, at time: MonotonicTime
    ) -> Issued {
        generation += 1
        let token = Issued(
            authorization: authorization.noting(generation), generation: generation)
        issued = token
        suspect = nil
        usableUntil = lifetime.map { lifetime in
            time.advanced(by: max(.zero, lifetime.subtractingSaturated(min(limits.leeway, lifetime / 2))))
        }
        return token
    }

    /// Notes that a server did not take a token, for those that come next.
    package mutating func doubt(_ generation: Int) {
        if issued?.generation == generation { suspect = generation }
    }
}

extension BearerTokenMachine: CustomStringConvertible, CustomReflectable {
    /// Whether there is a token, and not which.
    package var description: String { issued == nil ? "no token" : "a token" }

    /// The description alone.
    package var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
