import SockeyeCore
import SockeyeEngine

extension BodyHandling {
    /// The responses for which an empty body is a value rather than an error.
    ///
    /// A `Decodable` type has a value for an empty body only if it conforms to ``NoContent/Representable``. Every
    /// optional type conforms, so `User?` gives nil, while `User` gives an error. The serializers `.text`, `.bytes` and
    /// `.data`, and those with a closure, convert an empty body if the policy accepts the response.
    public struct EmptyBodyPolicy: Sendable, Hashable {
        /// The responses that may have an empty body.
        @nonexhaustive public enum Acceptance: String, Sendable, Hashable {
            /// All responses, as with AFNetworking. The default.
            case always
            /// Responses without content by HTTP's rules: 204, 205, 304, and responses to HEAD (RFC 9110 6.4). An empty
            /// body of any other response is an error, as with Alamofire.
            case whereExpected
            /// No response.
            case never
        }

        /// The responses that may have an empty body. Default ``Acceptance/always``.
        public var acceptance: Acceptance
        /// True if a body of one space counts as empty, since old Rails versions sent it for "no content". Default
        /// false, except in the default policy for JSON, as with AFNetworking.
        public var countsLoneSpace: Bool

        /// Creates a policy.
        public init(_ acceptance: Acceptance = .always, countsLoneSpace: Bool = false) {
            self.acceptance = acceptance
            self.countsLoneSpace = countsLoneSpace
        }

        func isEmpty(_ body: Bytes) -> Bool {
            body.isEmpty || (countsLoneSpace && body.count == 1 && body[0] == 0x20)
        }

        func accepts(_ response: IncomingResponse) -> Bool {
            switch acceptance {
            case .always: true
            case .whereExpected: [204, 205, 304].contains(response.statusCode) || response.request.method == "HEAD"
            case .never: false
            }
        }
    }
}
