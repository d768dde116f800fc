/// Why a redirect is not followed.
package enum RedirectFault: Error, Equatable, Sendable {
    /// There is more than one target, and they differ.
    case ambiguous
    /// The target cannot be parsed, or is neither http nor https.
    case badTarget(HTTPURL.Fault)
    /// From https to http.
    case downgrade
    /// Back to where the redirects came from, for the second time.
    case loop
    /// More redirects than allowed.
    case tooMany(limit: Int)
}
