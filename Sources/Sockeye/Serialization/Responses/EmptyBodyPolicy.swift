import SockeyeCore
import SockeyeEngine

extension BodyHandling {
    /// When a body without content is a value rather than an error.
    ///
    /// Only a type that is ``NoContent/Representable`` has such a value: `User?` gives nil, and `User` an error that says that
    /// the body was empty. `.text`, `.bytes`, `.data` and closures make a value of an empty body unless the policy refuses it.
    public struct EmptyBodyPolicy: Sendable, Hashable {
        /// Where an empty body is acceptable.
        @nonexhaustive public enum Acceptance: String, Sendable, Hashable {
            /// Everywhere, as with AFNetworking. The default.
            case always
            /// Where HTTP has no content: 204, 205 and 304, and answers to HEAD (RFC 9110 6.4). Elsewhere it is an error,
            /// as with Alamofire.
            case whereExpected
            /// Nowhere.
            case never
        }

        /// Where an empty body is acceptable. Default ``Acceptance/always``.
        public var acceptance: Acceptance
        /// Whether one blank counts as nothing, as old Rails versions sent it for "no content". True for JSON, as with
        /// AFNetworking, else false.
        public var countsLoneSpace: Bool

        /// Makes a policy.
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
