/// The TLS options of a client: trusted roots, its own identity, and accepted versions and ciphers.
///
/// A plain value: files are read only when a connection is made, so that a missing file is reported as an error of the
/// request. The default suits clients on the public internet: the system's roots, full verification of chain and host
/// name (RFC 9110 4.3.4), TLS 1.2 and 1.3.
///
/// ```swift
/// var tls = TLSOptions()
/// tls.roots = .systemAnd(.file("/etc/company/ca.pem"))
/// tls.identity = .pem(
///     certificateChain: .file("client.pem"), privateKey: .file("client.key"))
/// ```
///
/// Equal values share connections, sessions and parsed files; different ones share only the parsed roots of the system.
public struct TLSOptions: Sendable, Hashable {
    /// The trusted certificate authorities. Default: the system's.
    public var roots: Roots = .system

    /// The certificate to present to servers that request one. Default: none.
    public var identity: Identity?

    /// The oldest version to accept. Default: TLS 1.2.
    ///
    /// Older versions are unavailable (RFC 8996): no setting of this library or of the system's OpenSSL enables them.
    public var minimumVersion: Version = .v1_2

    /// The newest version to offer. Default: TLS 1.3.
    public var maximumVersion: Version = .v1_3

    /// The TLS 1.2 ciphers in OpenSSL's notation, such as `"ECDHE+AESGCM"`. Nil, the default, keeps the ciphers of
    /// OpenSSL, or those that the system's OpenSSL configuration sets.
    ///
    /// The notation includes OpenSSL's security level, which sets the minimum strength of the keys and signatures of
    /// all certificates of the chain, also in TLS 1.3. Default: the system's level, but at least 1.
    /// `"DEFAULT@SECLEVEL=1"` lowers the level for an old peer, `"DEFAULT@SECLEVEL=3"` raises it:
    ///
    /// | Level | RSA, DSA, DH | Elliptic curves | |
    /// |---|---|---|---|
    /// | 0 | any | any | allows SHA-1 and MD5 signatures, which can be forged |
    /// | 1 | 1,024 bits | 160 bits | OpenSSL's default before 3.2 |
    /// | 2 | 2,048 bits | 224 bits | OpenSSL's default since 3.2, and that of Debian and Ubuntu |
    /// | 3 | 3,072 bits | 256 bits | allows only ciphers with forward secrecy |
    ///
    /// Ciphers without authentication are never offered, because the server would send no certificate.
    public var ciphers: String?

    /// The cipher suites of TLS 1.3, separated by colons, best first, such as `"TLS_AES_256_GCM_SHA384"`.
    ///
    /// Nil, the default, offers `TLS_AES_128_GCM_SHA256`, `TLS_AES_256_GCM_SHA384` and `TLS_CHACHA20_POLY1305_SHA256`,
    /// or the suites of the system's OpenSSL configuration if that sets them.
    public var cipherSuites: String?

    /// The protocols to offer by ALPN (RFC 7301), best first; each 1 to 255 bytes. An empty list offers none.
    public var applicationProtocols: [String] = ["http/1.1"]

    /// The extent of the verification of the server's certificate. Default: chain and host name.
    public var verification: Verification = .full

    /// The name to verify and to send as SNI. Default nil: the host of the URL.
    public var serverName: String?

    /// Keys or certificates, at least one of which must occur in the server's chain, in addition to all other
    /// verification. Default nil.
    public var pinning: TLSOptions.Pinning?

    /// The checks for revoked certificates. Default: no check.
    public var revocation = Revocation.none

    /// Lets the kernel encrypt and decrypt (kTLS) if possible. Default false.
    ///
    /// This needs a kernel with TLS (Linux with the module `tls`, or FreeBSD 13), an OpenSSL built for it, a cipher
    /// that both support, and a connection directly over TCP. Otherwise OpenSSL encrypts as usual.
    /// ``TLSInfo/isEncryptedByKernel`` and ``TLSInfo/isDecryptedByKernel`` show the result.
    ///
    /// With kernel TLS, files are sent by `sendfile`, without a copy in this process. For small bodies, kernel TLS
    /// costs more than it saves. OpenSSL 3 closes a connection with kernel TLS if the peer sends a KeyUpdate (RFC 8446
    /// 4.6.3).
    public var usesKernelTLS = false

    /// See ``evaluate``.
    package var evaluation: Evaluation?

    /// A file to which the secrets of every connection are appended in the `SSLKEYLOGFILE` format.
    ///
    /// A network analyser can then decrypt captured traffic. For debugging only: every reader of the file can read the
    /// traffic. A missing file is created readable only by this user. A file is refused as a bad configuration if it is
    /// a symbolic link, is not a regular file, belongs to another user, or is writable by its group or by others.
    public var keyLogFile: String?

    /// Creates the default configuration.
    public init() {}

    /// Creates a configuration with the most common settings.
    public init(
        roots: Roots = .system, identity: Identity? = nil, verification: Verification = .full,
        pinning: TLSOptions.Pinning? = nil, revocation: Revocation = .none, evaluate: Evaluator? = nil
    ) {
        self.roots = roots
        self.identity = identity
        self.verification = verification
        self.pinning = pinning
        self.revocation = revocation
        self.evaluate = evaluate
    }
}

extension TLSOptions: CustomStringConvertible, CustomReflectable {
    /// The settings as text, without keys and passphrases.
    public var description: String {
        var parts = ["roots: \(roots)", "versions: \(minimumVersion)...\(maximumVersion)"]
        parts.append("verification: \(verification)")
        if let identity { parts.append("identity: \(identity)") }
        if let pinning { parts.append("pinning: \(pinning)") }
        if revocation != .none { parts.append("revocation: \(revocation)") }
        if evaluation != nil { parts.append("evaluated by a closure") }
        if let serverName { parts.append("serverName: \(serverName)") }
        if let ciphers { parts.append("ciphers: \(ciphers)") }
        if let cipherSuites { parts.append("cipherSuites: \(cipherSuites)") }
        if !applicationProtocols.isEmpty { parts.append("ALPN: \(applicationProtocols.joined(separator: ","))") }
        if usesKernelTLS { parts.append("kernel TLS") }
        if let keyLogFile { parts.append("keyLogFile: \(keyLogFile)") }
        return "TLSOptions(\(parts.joined(separator: ", ")))"
    }

    /// Only the description, so that `dump` shows no secrets either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension TLSOptions {
    /// A version of TLS.
    @nonexhaustive public enum Version: Int, Sendable, Hashable, Comparable, CaseIterable, CustomStringConvertible {
        // The customary names of these versions.
        // swift-format-ignore: AlwaysUseLowerCamelCase
        /// TLS 1.2, RFC 5246.
        case v1_2 = 0x0303
        // swift-format-ignore: AlwaysUseLowerCamelCase
        /// TLS 1.3, RFC 8446.
        case v1_3 = 0x0304

        /// Returns true if `left` is older than `right`.
        public static func < (left: Version, right: Version) -> Bool { left.rawValue < right.rawValue }

        /// `TLS 1.2` or `TLS 1.3`.
        public var description: String {
            switch self {
            case .v1_2: "TLS 1.2"
            case .v1_3: "TLS 1.3"
            }
        }
    }
    /// The requirements on a server's certificate.
    public typealias Verification = TLSTrust.Verification
}

extension TLSOptions {
    /// A closure that decides about a server; see ``TLSOptions/evaluate``.
    public typealias Evaluator = @Sendable (TLSTrust) async -> TLSTrust.Decision

    /// An evaluator that can be compared: each instance equals only itself.
    package final class Evaluation: Sendable, Hashable {
        let evaluator: Evaluator

        init(_ evaluator: @escaping Evaluator) {
            self.evaluator = evaluator
        }

        package static func == (left: Evaluation, right: Evaluation) -> Bool { left === right }

        package func hash(into hasher: inout Hasher) {
            hasher.combine(ObjectIdentifier(self))
        }
    }

    /// Decides whether a server is trusted, after its certificates have been verified as configured. Default nil: the
    /// verification decides.
    ///
    /// The closure is called once for each full handshake, before a client certificate or a byte of a request is sent.
    /// It is also called if the verification has failed, and may overrule the failure.
    ///
    /// The closure is not called for resumed sessions, in which the server sends no certificates. Only sessions that
    /// this very closure accepted are resumed, for at most a day and only until a certificate of the chain expires.
    ///
    /// The handshake ends by the `tls` deadline even if the closure has not returned. At the deadline, or if the
    /// connection is abandoned, the closure's task is cancelled.
    ///
    /// Closures cannot be compared: two configurations with a closure share connections only if both are copies of the
    /// same value. If you set a closure for each request, each request opens a connection. A configuration with a
    /// closure cannot be archived (product SockeyeArchiving). The closure is the counterpart of AFNetworking's
    /// `setSessionDidReceiveAuthenticationChallengeBlock:`.
    ///
    /// ```swift
    /// tls.evaluate = { trust in
    ///     guard trust.failure == nil else { return .standard }
    ///     return await blocklist.contains(trust.certificates[0].serialNumber)
    ///         ? .reject("blocked") : .accept
    /// }
    /// ```
    public var evaluate: Evaluator? {
        get { evaluation?.evaluator }
        set { evaluation = newValue.map { Evaluation($0) } }
    }
}

extension TLSOptions {
    /// Creates a configuration in the terms of AFNetworking's `AFSecurityPolicy`:
    ///
    /// | pins | `allowInvalidCertificates` | the server is trusted if it has |
    /// | --- | --- | --- |
    /// | none | false | a chain that leads to ``roots``, for the host |
    /// | none | true | any certificate, if `validatesDomainName` is false; otherwise every request fails |
    /// | `.publicKey` | false | a chain as in the first row, with a pinned key in it |
    /// | `.publicKey` | true | a chain, expired or not, that leads to a pinned key, for the host |
    /// | `.certificate` | false | a chain as in the first row, with a pinned certificate in it |
    /// | `.certificate` | true | an unexpired chain that leads to a pinned certificate, for the host |
    ///
    /// `validatesDomainName: false` removes "for the host". An empty set of pins refuses every server. If pins are set,
    /// requests over plain http fail. The results are those of AFNetworking, with one difference: for `.publicKey` with
    /// invalid certificates allowed, AFNetworking ignores `validatesDomainName` and never checks the host.
    ///
    /// - Parameters:
    ///   - pinning: `SSLPinningMode` with `pinnedCertificates`; nil is `AFSSLPinningModeNone`.
    ///   - allowInvalidCertificates: True to accept certificates without a trusted issuer. Default false.
    ///   - validatesDomainName: True if the certificate must be for the host. Default true.
    public static func securityPolicy(
        pinning: TLSOptions.Pinning? = nil, allowInvalidCertificates: Bool = false, validatesDomainName: Bool = true
    ) -> TLSOptions {
        var configuration = TLSOptions(pinning: pinning)
        configuration.allowInvalidCertificates = allowInvalidCertificates
        configuration.validatesDomainName = validatesDomainName
        return configuration
    }

    /// True if a server's certificate needs no trusted issuer. This property and ``validatesDomainName`` are the two
    /// parts of ``verification``. Default false.
    public var allowInvalidCertificates: Bool {
        get { !verification.checksChain }
        set { verification = Verification(checksChain: !newValue, checksHostName: verification.checksHostName) }
    }

    /// True if a server's certificate must be for the host. This property and ``allowInvalidCertificates`` are the two
    /// parts of ``verification``. Default true.
    public var validatesDomainName: Bool {
        get { verification.checksHostName }
        set { verification = Verification(checksChain: verification.checksChain, checksHostName: newValue) }
    }
}

extension TLSOptions.Verification {
    fileprivate init(checksChain: Bool, checksHostName: Bool) {
        switch (checksChain, checksHostName) {
        case (true, true): self = .full
        case (true, false): self = .chainOnly
        case (false, true): self = .hostNameOnly
        case (false, false): self = .none
        }
    }
}
