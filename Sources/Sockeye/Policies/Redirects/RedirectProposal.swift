public import HTTPTypes
public import SockeyeEngine

extension RedirectPolicy {
    /// A redirect, as passed to ``RedirectPolicy/decide``.
    public struct Proposal: Sendable {
        /// The request that was redirected.
        public let original: OutgoingRequest
        /// The status of the response.
        public let status: HTTPResponse.Status
        /// The fields of the response.
        public let headers: Headers
        /// The request that would follow: with the method and content that the status requires, and without credentials
        /// if the target has another origin.
        public let request: OutgoingRequest
        /// True if the target has another origin.
        public let leavesOrigin: Bool
        /// The number of redirects that the call has followed so far.
        public let count: Int
    }
}

extension RedirectPolicy.Proposal: CustomStringConvertible, CustomReflectable {
    /// For example `302 to https://example.com/x`. Header fields are omitted, since they may hold secrets.
    public var description: String { "\(status.code) to \(request.url.masked)" }

    /// Only the description.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension RedirectPolicy {
    /// The decision about a redirect.
    @nonexhaustive public enum Decision: Sendable {
        /// Follows the redirect with this request, which may be the proposed one or any other.
        case follow(OutgoingRequest)
        /// Returns the redirect response.
        case stop
        /// Fails the call with ``SockeyeError/Code-swift.struct/redirectRefused``.
        case refuse
    }
}
