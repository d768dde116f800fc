/// Where a redirect leads, and what becomes of the request (RFC 9110 15.4, with the Fetch standard's table of methods).
package struct Redirect: Sendable, Equatable {
    package let url: HTTPURL
    package let method: String
    /// Whether the content goes along. Without it, the fields that describe it stay behind, too.
    package let keepsBody: Bool
    /// Whether the target is of another origin, for which credentials were not meant.
    package let leavesOrigin: Bool
    /// Whether it leads from https to http.
    package let leavesTLS: Bool
}
