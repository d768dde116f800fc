public import HTTPTypes
public import SockeyeEngine

extension RedirectPolicy {
    /// A redirect that ``RedirectPolicy/decide`` is asked about.
    public struct Proposal: Sendable {
        /// The request that was redirected.
        public let original: OutgoingRequest
        /// The status of the response.
        public let status: HTTPResponse.Status
        /// The fields of the response.
        public let headers: Headers
        /// The request that would follow it: with the method and content that the status asks for, and without what was meant
        /// for another origin.
        public let request: OutgoingRequest
        /// Whether the target is of another origin.
        public let leavesOrigin: Bool
        /// How many redirects of the call were followed before.
        public let count: Int
    }
}

extension RedirectPolicy.Proposal: CustomStringConvertible, CustomReflectable {
    /// For example `302 to https://example.com/x`. No fields, since they may hold secrets.
    public var description: String { "\(status.code) to \(request.url.masked)" }

    /// The description alone.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension RedirectPolicy {
    /// What becomes of a redirect.
    @nonexhaustive public enum Decision: Sendable {
        /// It is followed with this request, which may be the proposed one or differ from it in everything.
        case follow(OutgoingRequest)
        /// The call returns the redirect itself.
        case stop
        /// The call fails with ``SockeyeError/Code-swift.struct/redirectRefused``.
        case refuse
    }
}
