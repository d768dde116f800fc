/// Where an interceptor stands between the caller and the wire, from the outside in.
///
/// | stage | runs | who is there |
/// | --- | --- | --- |
/// | ``call`` | once for each call | interceptors that see the request as the caller made it, and the final response |
/// | ``redirects`` | once for each call | ``RedirectPolicy``, on by default |
/// | ``retries`` | once for each URL of a chain of redirects | the policy that repeats what failed |
/// | ``authentication`` | for each attempt | ``AuthenticationPolicy``, which adds credentials and answers challenges |
/// | ``cookies`` | for each attempt, and again after a challenge | the policy that adds and stores cookies |
/// | ``cache`` | for each attempt, likewise | ``CachePolicy``, which answers from what is stored |
/// | ``attempt`` | for each request that goes to the wire | interceptors that see the final fields, such as one that signs |
///
/// The stages of the built-in policies hold one policy each: the one that was added last, so that a scope or a call can
/// override its client's. The others hold any number.
public struct InterceptorStage: Sendable, Hashable, Comparable, CustomStringConvertible {
    private let rank: Int
    /// The name of the stage.
    public let description: String
    /// Whether a policy replaces the one that was there.
    package let holdsOne: Bool

    private init(_ rank: Int, _ name: String, holdsOne: Bool) {
        self.rank = rank
        description = name
        self.holdsOne = holdsOne
    }

    /// Once around the whole call.
    public static let call = InterceptorStage(0, "call", holdsOne: false)
    /// Following redirects.
    public static let redirects = InterceptorStage(1, "redirects", holdsOne: true)
    /// Repeating what failed.
    public static let retries = InterceptorStage(2, "retries", holdsOne: true)
    /// Adding credentials and answering challenges.
    public static let authentication = InterceptorStage(3, "authentication", holdsOne: true)
    /// Adding and storing cookies.
    public static let cookies = InterceptorStage(4, "cookies", holdsOne: true)
    /// Answering from stored responses.
    public static let cache = InterceptorStage(5, "cache", holdsOne: true)
    /// Once around every request that goes to the wire.
    public static let attempt = InterceptorStage(6, "attempt", holdsOne: false)

    /// Whether `left` is further out.
    public static func < (left: InterceptorStage, right: InterceptorStage) -> Bool {
        left.rank < right.rank
    }
}
