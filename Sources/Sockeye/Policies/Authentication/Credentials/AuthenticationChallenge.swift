import HTTPTypes
public import SockeyeEngine
public import SockeyeHTTP

/// What a handler of challenges is asked about: a response with status 401. The counterpart of
/// `NSURLAuthenticationChallenge`.
public struct AuthenticationChallenge: Sendable {
    /// The request that was refused, without the credentials that the policy added.
    public let request: OutgoingRequest
    /// The fields of the response.
    public let headers: Headers
    /// Its challenges in the order of the server, those of unknown schemes included. Never empty.
    public let challenges: [Challenge]
    /// How many times the call's credentials were refused before; those that were sent unasked count, those whose Digest
    /// nonce only was too old do not.
    public let previousFailures: Int
    /// Whether the caller asked for this ``origin``: false where a redirect led to it from another one, or back from there,
    /// and where a call led out of a scope with a base URL. The credential of an
    /// ``AuthenticationChallenge/Disposition/useCredential(_:anywhere:)`` is not sent there, unless the handler says so.
    public let originWasAskedFor: Bool

    /// The origin that asks: scheme, host and port, which the credential would go to.
    public var origin: HTTPURL.Origin { request.url.origin }
}

extension AuthenticationChallenge: CustomStringConvertible, CustomReflectable {
    /// For example `GET https://example.com/a: Basic realm="inbox"`. No fields, since they may hold secrets.
    public var description: String {
        "\(request.method) \(request.url.masked): \(challenges.map(\.description).joined(separator: ", "))"
    }

    /// The description alone, so that dumps show no values of fields either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension AuthenticationChallenge {
    /// What becomes of a challenge.
    @nonexhaustive public enum Disposition: Sendable {
        /// It is answered with this credential: the strongest challenge that takes its kind.
        ///
        /// Without `anywhere` only where the caller asked for the origin, see ``AuthenticationChallenge/originWasAskedFor``;
        /// elsewhere the challenge is not answered, as with ``cancel``. A handler that says `anywhere: true` has looked at
        /// ``AuthenticationChallenge/origin``: else whoever can redirect the client gets the credential.
        case useCredential(Credential, anywhere: Bool = false)
        /// It is answered as without a handler: with the credentials of the URL, else with those of the storage that the
        /// policy was made with, else not at all.
        case performDefault
        /// It is not answered; the 401 is the response.
        case cancel
        /// The call fails with this error: a ``SockeyeError`` as it is, `CancellationError` as
        /// ``SockeyeError/Code-swift.struct/cancelled``, anything else as the ``SockeyeError/underlying`` of an
        /// ``SockeyeError/Code-swift.struct/authenticationFailed``. Throwing it does the same.
        case fail(any Error)
    }
}
