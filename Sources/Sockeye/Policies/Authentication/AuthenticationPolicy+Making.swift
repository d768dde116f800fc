public import SockeyeEngine
import SockeyeHTTP

extension Interceptor where Self == AuthenticationPolicy {
    /// Sends user name and password with every request, unasked (RFC 7617). AFNetworking's counterpart is
    /// `setAuthorizationHeaderFieldWithUsername:password:`.
    ///
    /// Requests fail with ``SockeyeError/Code-swift.struct/invalidRequest`` when the user name has a colon, or either a
    /// control character.
    ///
    /// - Parameters:
    ///   - user: The user name.
    ///   - password: The password.
    ///   - origins: URLs of the origins that they are for, such as `https://api.example.com`. Default: those of the
    ///     URLs that the caller asks for. One that cannot be parsed fails every request.
    ///   - allowsPlaintext: Whether they may be sent over http to other machines. Default false.
    public static func basic(
        user: String, password: String, origins: [String] = [], allowsPlaintext: Bool = false
    ) -> AuthenticationPolicy {
        let restrictions = CredentialRestrictions(origins: origins, allowsPlaintext: allowsPlaintext)
        return AuthenticationPolicy(
            PreemptiveAuthenticator.authenticator(of: .user(user, password: password), restrictions))
    }

    /// Sends a token with every request (RFC 6750).
    ///
    /// Requests fail with ``SockeyeError/Code-swift.struct/invalidRequest`` when the token is empty or holds something else
    /// than visible ASCII.
    ///
    /// - Parameters:
    ///   - token: The token, without `Bearer`.
    ///   - origins: As with ``basic(user:password:origins:allowsPlaintext:)``.
    ///   - allowsPlaintext: Whether it may be sent over http to other machines. Default false.
    public static func bearer(
        _ token: String, origins: [String] = [], allowsPlaintext: Bool = false
    ) -> AuthenticationPolicy {
        let restrictions = CredentialRestrictions(origins: origins, allowsPlaintext: allowsPlaintext)
        return AuthenticationPolicy(PreemptiveAuthenticator.authenticator(of: .bearer(token), restrictions))
    }

    /// Sends a token with every request, and fetches a new one when it has expired or a server refuses it.
    ///
    /// All requests that need a token wait for one call of `provider`, which a request that is cancelled meanwhile does not
    /// end. A token is fetched before the first request, before one that would come later than its lifetime less
    /// ``AuthenticationPolicy/Token/Refresh/leeway``, and after a 401, when the request is sent once more with the new token. If that gets a 401,
    /// too, it is the response.
    ///
    /// Requests that the provider itself sends through this policy go without a token.
    ///
    /// The call fails with ``SockeyeError/Code-swift.struct/authenticationFailed``, and the provider's error as
    /// ``SockeyeError/underlying``, when the provider throws; with ``SockeyeError/Code-swift.struct/limitExceeded`` when it
    /// was asked more often than ``AuthenticationPolicy/Token/Refresh/maximumCount``; with ``SockeyeError/Code-swift.struct/timeout`` when it
    /// takes longer than ``AuthenticationPolicy/Token/Refresh/timeout``.
    ///
    /// - Parameters:
    ///   - initial: The token to begin with. Default none.
    ///   - origins: As with ``basic(user:password:origins:allowsPlaintext:)``.
    ///   - allowsPlaintext: Whether tokens may be sent over http to other machines. Default false.
    ///   - refresh: When and how often the provider is asked.
    ///   - provider: Fetches a token.
    public static func bearer(
        initial: AuthenticationPolicy.Token? = nil, origins: [String] = [], allowsPlaintext: Bool = false,
        refresh: AuthenticationPolicy.Token.Refresh = AuthenticationPolicy.Token.Refresh(),
        provider: @escaping @Sendable () async throws -> AuthenticationPolicy.Token
    ) -> AuthenticationPolicy {
        let restrictions = CredentialRestrictions(origins: origins, allowsPlaintext: allowsPlaintext)
        return AuthenticationPolicy(
            BearerAuthenticator(TokenStore(initial, refresh, provider), restrictions))
    }

    /// Answers Digest challenges (RFC 7616), and no others. Nothing is sent unasked but further answers in a protection
    /// space that has let the client in. (Credentials of a URL are sent as Basic as ever, and answer Digest, too.)
    ///
    /// MD5, SHA-256 and SHA-512-256 with their `-sess` variants, qop `auth`, `auth-int` (where nothing else is offered, and
    /// for content in memory) and none as in RFC 2069, hashed user names, stale nonces, and the next nonce of
    /// Authentication-Info.
    ///
    /// - Parameters:
    ///   - user: The user name.
    ///   - password: The password.
    ///   - origins: As with ``basic(user:password:origins:allowsPlaintext:)``.
    public static func digest(user: String, password: String, origins: [String] = []) -> AuthenticationPolicy {
        let restrictions = CredentialRestrictions(origins: origins, allowsPlaintext: false)
        let source = DigestCredentialSource(.user(user, password: password))
        return AuthenticationPolicy(ChallengeAuthenticator(source, restrictions))
    }

    /// Answers challenges with what a storage has for the origin and the realm.
    ///
    /// Credentials of the URL go before those of the storage. Since each credential is stored for its origin, redirects to
    /// other origins are answered with those of the other origin, if there are some.
    ///
    /// - Parameters:
    ///   - storage: Where credentials are looked up.
    ///   - allowsPlaintext: Whether Basic and Bearer are answered over http to other machines. Default false.
    public static func credentials(
        _ storage: Credential.Storage, allowsPlaintext: Bool = false
    ) -> AuthenticationPolicy {
        let restrictions = CredentialRestrictions(allowsPlaintext: allowsPlaintext, followsRedirects: true)
        return AuthenticationPolicy(ChallengeAuthenticator(StorageCredentialSource(storage), restrictions))
    }

    /// Takes credentials from a `.netrc` file, which is read now.
    ///
    /// The login of a machine that the file names is sent unasked as Basic, as curl does, where that is safe, and answers
    /// challenges; for the target of a redirect that of its own host, if the file names it. A `default` login answers
    /// challenges of hosts that the caller asks for, and is never sent unasked nor where a redirect leads. Of a machine with
    /// several logins the user of the URL chooses one.
    ///
    /// Whoever can write the file chooses where logins go, so it is refused if its group or others can write it, if it
    /// belongs to neither the user of the process nor root, and if it is a symbolic link (of the folders on the way some may
    /// be links). Who can read it is not looked at.
    ///
    /// - Parameters:
    ///   - path: The file. Default: what the environment variable `NETRC` names, else `.netrc` in the home directory; of
    ///     these a missing one counts as empty.
    ///   - allowsPlaintext: Whether logins are sent over http to other machines. Default false.
    /// - Throws: ``SockeyeError/Code-swift.struct/badConfiguration`` when the file cannot be read, is refused, is larger
    ///   than 1 MiB, or has a quote that does not end.
    public static func netrc(
        _ path: String? = nil, allowsPlaintext: Bool = false
    ) throws(SockeyeError) -> AuthenticationPolicy {
        let restrictions = CredentialRestrictions(allowsPlaintext: allowsPlaintext, followsRedirects: true)
        return AuthenticationPolicy(
            ChallengeAuthenticator(NetrcCredentialSource(try NetrcFile.read(path)), restrictions))
    }

    /// Asks a closure about challenges. AFNetworking's counterpart is `setAuthenticationChallengeHandler:`.
    ///
    /// Its credential goes to the origin that the caller asked for and to no other that a redirect leads to, unless the
    /// handler says `anywhere: true`; see ``AuthenticationChallenge/Disposition/useCredential(_:anywhere:)``.
    ///
    /// It is asked again when its credential is refused, with the number of
    /// ``AuthenticationChallenge/previousFailures``; a credential that was refused already ends this with the 401 as the
    /// response, and so does the eighth answer. It is not asked about requests whose content cannot be sent again, nor when a
    /// Digest challenge says that only the nonce was too old (`stale`): its credential is taken once more.
    ///
    /// - Parameters:
    ///   - storage: What ``AuthenticationChallenge/Disposition/performDefault`` takes credentials from, besides the URL. Default none.
    ///   - allowsPlaintext: Whether Basic and Bearer are answered over http to other machines. Default false.
    ///   - handler: Called for each response with status 401 and a challenge, at whatever origin, which
    ///     ``AuthenticationChallenge/origin`` names.
    public static func challengeHandler(
        storage: Credential.Storage? = nil, allowsPlaintext: Bool = false,
        _ handler: @escaping @Sendable (AuthenticationChallenge) async throws -> AuthenticationChallenge.Disposition
    ) -> AuthenticationPolicy {
        let restrictions = CredentialRestrictions(allowsPlaintext: allowsPlaintext, followsRedirects: true)
        return AuthenticationPolicy(ChallengeAuthenticator(CallbackCredentialSource(storage, handler), restrictions))
    }
}
