public import SockeyeEngine
import SockeyeHTTP

extension Interceptor where Self == AuthenticationPolicy {
    /// Sends a user name and password with every request, without a challenge (RFC 7617).
    ///
    /// AFNetworking's counterpart is `setAuthorizationHeaderFieldWithUsername:password:`. Requests fail with
    /// ``SockeyeError/Code-swift.struct/invalidRequest`` if the user name contains a colon, or if the user name or the
    /// password contains a control character.
    ///
    /// - Parameters:
    ///   - user: The user name.
    ///   - password: The password.
    ///   - origins: URLs of the origins that may receive the credentials, such as `https://api.example.com`. Default:
    ///     the origins of the URLs that the caller requests. If a URL of this list cannot be parsed, every request
    ///     fails.
    ///   - allowsPlaintext: Whether the credentials may be sent over http to other machines. Default false.
    public static func basic(
        user: String, password: String, origins: [String] = [], allowsPlaintext: Bool = false
    ) -> AuthenticationPolicy {
        let restrictions = CredentialRestrictions(origins: origins, allowsPlaintext: allowsPlaintext)
        return AuthenticationPolicy(
            PreemptiveAuthenticator.authenticator(of: .user(user, password: password), restrictions))
    }

    /// Sends a token with every request (RFC 6750).
    ///
    /// Requests fail with ``SockeyeError/Code-swift.struct/invalidRequest`` if the token is empty or contains anything
    /// other than visible ASCII.
    ///
    /// - Parameters:
    ///   - token: The token, without `Bearer`.
    ///   - origins: As with ``basic(user:password:origins:allowsPlaintext:)``.
    ///   - allowsPlaintext: Whether the token may be sent over http to other machines. Default false.
    public static func bearer(
        _ token: String, origins: [String] = [], allowsPlaintext: Bool = false
    ) -> AuthenticationPolicy {
        let restrictions = CredentialRestrictions(origins: origins, allowsPlaintext: allowsPlaintext)
        return AuthenticationPolicy(PreemptiveAuthenticator.authenticator(of: .bearer(token), restrictions))
    }

    /// Sends a token with every request, and fetches a new one when it expires or a server rejects it.
    ///
    /// All requests that need a token wait for the same call of `provider`; cancelling one of them does not end that
    /// call. A token is fetched:
    ///
    /// - before the first request, unless `initial` is given,
    /// - when the remaining lifetime is at most ``AuthenticationPolicy/Token/Refresh/leeway``,
    /// - after a 401. The request is then sent once more with the new token. If the response is another 401, the
    ///   caller gets that response. If the content cannot be sent again, the caller gets the first 401, and the next
    ///   request fetches the token.
    ///
    /// Requests that the provider itself sends through this policy carry no token.
    ///
    /// A request fails
    ///
    /// - with ``SockeyeError/Code-swift.struct/authenticationFailed`` if the provider throws;
    ///   ``SockeyeError/underlying`` is the provider's error;
    /// - with ``SockeyeError/Code-swift.struct/invalidRequest`` if the provider's token is empty or contains anything
    ///   other than visible ASCII;
    /// - with ``SockeyeError/Code-swift.struct/limitExceeded`` if tokens are fetched more often than
    ///   ``AuthenticationPolicy/Token/Refresh/maximumCount`` allows;
    /// - with ``SockeyeError/Code-swift.struct/timeout`` if the provider takes longer than
    ///   ``AuthenticationPolicy/Token/Refresh/timeout``.
    ///
    /// - Parameters:
    ///   - initial: The first token. Default nil: it is fetched.
    ///   - origins: As with ``basic(user:password:origins:allowsPlaintext:)``.
    ///   - allowsPlaintext: Whether tokens may be sent over http to other machines. Default false.
    ///   - refresh: The limits of fetching tokens.
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

    /// Answers Digest challenges (RFC 7616), and no others.
    ///
    /// The user name and password are used only to answer a challenge, or for a protection space that accepted an
    /// answer before. Credentials in a URL also answer Digest challenges. Even with this policy, however, the client
    /// sends the credentials of a URL as Basic before any challenge.
    ///
    /// Supports MD5, SHA-256 and SHA-512-256 with their `-sess` variants, hashed user names, stale nonces, and the next
    /// nonce of Authentication-Info. Supports the qop value `auth` and challenges without a qop (RFC 2069). If the
    /// server offers only `auth-int`, the policy answers only for requests without content and for requests whose
    /// content is in memory.
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

    /// Answers challenges with the credential that a storage has for the origin and the realm.
    ///
    /// Credentials in the URL take precedence over the storage. After a redirect to another origin, the policy answers
    /// challenges with the credential that the storage has for that origin.
    ///
    /// - Parameters:
    ///   - storage: The credentials.
    ///   - allowsPlaintext: Whether Basic and Bearer challenges are answered over http to other machines. Default
    ///     false.
    public static func credentials(
        _ storage: Credential.Storage, allowsPlaintext: Bool = false
    ) -> AuthenticationPolicy {
        let restrictions = CredentialRestrictions(allowsPlaintext: allowsPlaintext, followsRedirects: true)
        return AuthenticationPolicy(ChallengeAuthenticator(StorageCredentialSource(storage), restrictions))
    }

    /// Takes credentials from a `.netrc` file, which is read now.
    ///
    /// If the file has an entry for the host of a request, the login of this entry answers challenges. It is also sent
    /// as Basic without a challenge, as curl does, unless that would expose it (see `allowsPlaintext`). After a
    /// redirect, the login of the new host is sent if the file has an entry for that host. The `default` login only
    /// answers challenges of hosts that the caller requests; it is never sent without a challenge, nor to the target
    /// of a redirect. If a host has several logins, the user name in the URL selects one.
    ///
    /// A user that can write the file decides where logins are sent. Therefore the file is refused if its group or
    /// others can write it, or if its owner is neither the user of the process nor root. It is also refused if it is a
    /// symbolic link; folders in the path may be symbolic links. Read permissions are not checked.
    ///
    /// - Parameters:
    ///   - path: The file. Default: the path in the environment variable `NETRC`, else `.netrc` in the home directory.
    ///     If the default file does not exist, it counts as empty.
    ///   - allowsPlaintext: Whether logins are sent over http to other machines. Default false.
    /// - Throws: ``SockeyeError/Code-swift.struct/badConfiguration`` if the file cannot be read, is refused, is larger
    ///   than 1 MiB, has more than 10,000 entries, or has an unterminated quote.
    public static func netrc(
        _ path: String? = nil, allowsPlaintext: Bool = false
    ) throws(SockeyeError) -> AuthenticationPolicy {
        let restrictions = CredentialRestrictions(allowsPlaintext: allowsPlaintext, followsRedirects: true)
        return AuthenticationPolicy(
            ChallengeAuthenticator(NetrcCredentialSource(try NetrcFile.read(path)), restrictions))
    }

    /// Calls a closure for each challenge. AFNetworking's counterpart is `setAuthenticationChallengeHandler:`.
    ///
    /// The returned credential goes only to the origin that the caller requested, not to another origin after a
    /// redirect, unless the handler returns `anywhere: true`; see
    /// ``AuthenticationChallenge/Disposition/useCredential(_:anywhere:)``.
    ///
    /// The handler is called again if its credential is rejected; ``AuthenticationChallenge/previousFailures`` counts
    /// the rejections. The caller gets the 401 if the handler repeats a rejected credential, and at the latest after
    /// eight answers. The handler is not called for a request with content that cannot be sent again. It is not called
    /// either if a Digest challenge only declares the nonce `stale`; the credential is then reused.
    ///
    /// An accepted credential is sent with all later requests to its protection space, without a call of the handler. A
    /// handler must therefore not choose the credential by properties of the request such as the tenant. If several
    /// users share an origin, each user needs a separate policy. Add it to a client that serves only this user, or,
    /// with ``OutgoingRequest/Options/interceptors``, to each call of the user.
    ///
    /// - Parameters:
    ///   - storage: The credentials for ``AuthenticationChallenge/Disposition/performDefault``, in addition to those in
    ///     the URL. Default none.
    ///   - allowsPlaintext: Whether Basic and Bearer challenges are answered over http to other machines. Default
    ///     false.
    ///   - handler: Called for responses with status 401 and a challenge, from any origin; see
    ///     ``AuthenticationChallenge/origin``.
    public static func challengeHandler(
        storage: Credential.Storage? = nil, allowsPlaintext: Bool = false,
        _ handler: @escaping @Sendable (AuthenticationChallenge) async throws -> AuthenticationChallenge.Disposition
    ) -> AuthenticationPolicy {
        let restrictions = CredentialRestrictions(allowsPlaintext: allowsPlaintext, followsRedirects: true)
        return AuthenticationPolicy(ChallengeAuthenticator(CallbackCredentialSource(storage, handler), restrictions))
    }
}
