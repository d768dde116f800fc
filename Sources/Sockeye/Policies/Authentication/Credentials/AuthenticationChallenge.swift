import HTTPTypes
public import SockeyeEngine
public import SockeyeHTTP

/// A 401 response with its challenges, as passed to a challenge handler.
///
/// The counterpart of `NSURLAuthenticationChallenge`.
public struct AuthenticationChallenge: Sendable {
    /// The rejected request, without the credentials that the policy added.
    public let request: OutgoingRequest
    /// The fields of the response.
    public let headers: Headers
    /// The challenges in the order of the server, including those of unknown schemes. Never empty.
    public let challenges: [Challenge]
    /// The number of credentials that the server has rejected for this request so far. After each redirect and each
    /// retry, the count starts again at 0.
    ///
    /// Includes credentials that were sent without a challenge. Excludes rejections that only declare a Digest nonce
    /// stale.
    public let previousFailures: Int
    /// True if the caller requested this ``origin``.
    ///
    /// False once a redirect has led to another origin, even if a later redirect leads back to the requested
    /// origin. Also false if the client has a base URL or trusted origins, and this origin is neither that of the base
    /// URL nor a trusted one.
    public let isFromRequestedOrigin: Bool

    /// The origin of the challenge, which would receive the credential: scheme, host and port.
    public var origin: HTTPURL.Origin { request.url.origin }
}

extension AuthenticationChallenge: CustomStringConvertible, CustomReflectable {
    /// For example `GET https://example.com/a: Basic realm="inbox"`. Header fields are omitted, since they may hold
    /// secrets.
    public var description: String {
        "\(request.method) \(request.url.masked): \(challenges.map(\.description).joined(separator: ", "))"
    }

    /// Only the description, so that dumps show no field values either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension AuthenticationChallenge {
    /// The reaction to a challenge.
    @nonexhaustive public enum Disposition: Sendable {
        /// Answers the strongest challenge that this kind of credential fits.
        ///
        /// Without `anywhere`, the credential is used only if ``AuthenticationChallenge/isFromRequestedOrigin`` is
        /// true. If it is false, the challenge is not answered, as with ``cancel``. A handler must check
        /// ``AuthenticationChallenge/origin`` before it sets `anywhere`. Without this check, any server that can
        /// redirect the client gets the credential.
        case useCredential(Credential, anywhere: Bool = false)
        /// Answers as without a handler: with the credentials in the URL, else with those of the policy's storage, else
        /// not at all. Later requests send this credential without a new challenge, as long as their URL or the
        /// storage contains it.
        case performDefault
        /// Does not answer: the caller gets the 401 response.
        case cancel
        /// Fails the call with this error, as if the handler threw it.
        ///
        /// A ``SockeyeError`` is passed on as it is, and `CancellationError` becomes
        /// ``SockeyeError/Code-swift.struct/cancelled``. Any other error becomes the ``SockeyeError/underlying`` error
        /// of an ``SockeyeError/Code-swift.struct/authenticationFailed``.
        case fail(any Error)
    }
}
