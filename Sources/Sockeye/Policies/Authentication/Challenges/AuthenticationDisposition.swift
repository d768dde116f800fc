public import SockeyeHTTP

extension AuthenticationChallenge {
    /// What becomes of a challenge.
    public enum Disposition: Sendable {
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
