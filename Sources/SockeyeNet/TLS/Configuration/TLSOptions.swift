/// How a client makes TLS connections: whom it trusts, who it is, and what it accepts.
///
/// A plain value: nothing is read from disk until a connection is made, so that a missing file is reported as an error
/// of the request. The default is what a client on the open internet wants: the system's roots, full verification of
/// chain and host name (RFC 9110 4.3.4), TLS 1.2 and 1.3.
///
/// ```swift
/// var tls = TLSOptions()
/// tls.roots = .systemAnd(.file("/etc/company/ca.pem"))
/// tls.identity = .pem(certificateChain: .file("client.pem"), privateKey: .file("client.key"))
/// ```
///
/// Two equal values share connections, sessions and parsed files; different ones never do.
public struct TLSOptions: Sendable, Hashable {
    /// The certificate authorities that may vouch for a server. Default: those of the system.
    public var roots: Roots = .system

    /// The certificate to present when a server asks for one. Default: none.
    public var identity: Identity?

    /// The oldest version to accept. Default: TLS 1.2, which is also the oldest that exists here (RFC 8996): no setting of
    /// this library or of the system's OpenSSL brings an older one back.
    public var minimumVersion: Version = .v1_2

    /// The newest version to offer. Default: TLS 1.3.
    public var maximumVersion: Version = .v1_3

    /// The ciphers of TLS 1.2 in OpenSSL's notation, such as `"ECDHE+AESGCM"`. Nil, the default, leaves OpenSSL's own.
    ///
    /// The notation has OpenSSL's security level in it, too, which bounds the keys and signatures of all certificates of the
    /// chain, in TLS 1.3 as well; what is below is refused as too weak. Without one it is the system's, at least 1.
    /// `"DEFAULT@SECLEVEL=1"` lowers it for the sake of an old peer, `"DEFAULT@SECLEVEL=3"` raises it:
    ///
    /// | Level | RSA, DSA, DH | Elliptic curves | |
    /// |---|---|---|---|
    /// | 0 | any | any | SHA-1 and MD5, too: anybody may forge such a certificate |
    /// | 1 | 1,024 bits | 160 bits | OpenSSL's default before 3.2 |
    /// | 2 | 2,048 bits | 224 bits | OpenSSL's default since, and that of Debian and Ubuntu |
    /// | 3 | 3,072 bits | 256 bits | also no ciphers without forward secrecy |
    public var ciphers: String?

    /// The cipher suites of TLS 1.3, separated by colons, best first, such as `"TLS_AES_256_GCM_SHA384"`. Nil, the
    /// default, offers `TLS_AES_128_GCM_SHA256`, `TLS_AES_256_GCM_SHA384` and `TLS_CHACHA20_POLY1305_SHA256`, or what the
    /// system's OpenSSL configuration says instead.
    public var cipherSuites: String?

    /// The protocols to offer by ALPN (RFC 7301), best first; each 1 to 255 bytes. Empty offers none.
    public var applicationProtocols: [String] = ["http/1.1"]

    /// How much of the server's certificate is verified. Default: everything.
    public var verification: Verification = .full

    /// The name to verify and to send as SNI instead of the host of the URL. Default: nil, the host of the URL.
    public var serverName: String?

    /// Keys or certificates of which one must occur in the server's chain, after all other verification. Default: nil.
    public var pinning: TLSOptions.Pinning?

    /// How it is found out whether certificates have been revoked. Default: not at all.
    public var revocation = Revocation.none

    /// Whether the kernel encrypts and decrypts (kTLS) where it can: Linux with its `tls` module, OpenSSL built for it, a
    /// cipher that both have, and a connection that lies directly over TCP. Where it cannot, OpenSSL does, as without this
    /// setting; ``TLSInfo/isEncryptedByKernel`` and ``TLSInfo/isDecryptedByKernel`` say which it became. Files are then
    /// sent by `sendfile`, without a copy in this process. Default false: for small bodies it costs more than it saves,
    /// and OpenSSL 3 ends a connection whose peer wants new keys (RFC 8446 4.6.3) instead of changing them.
    public var usesKernelTLS = false

    /// See ``evaluate``.
    package var evaluation: Evaluation?

    /// A file to which the secrets of every connection are appended in the `SSLKEYLOGFILE` format, so that a network
    /// analyser can decrypt captured traffic. For debugging only: whoever reads the file reads the traffic. Made for this user
    /// alone where it is not there; one that is a link, belongs to somebody else or can be written to by others is refused
    /// as a bad configuration.
    public var keyLogFile: String?

    /// Makes the default configuration; change what should differ.
    public init() {}

    /// Makes a configuration with the parts that differ most often.
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
    /// What is configured, without keys and passphrases.
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

    /// The description only, so that `dump` shows no secrets either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension TLSOptions {
    /// A version of the protocol. Older ones are not offered (RFC 8996).
    @nonexhaustive public enum Version: Int, Sendable, Hashable, Comparable, CaseIterable, CustomStringConvertible {
        // The names as everybody writes these versions.
        // swift-format-ignore: AlwaysUseLowerCamelCase
        /// TLS 1.2, RFC 5246.
        case v1_2 = 0x0303
        // swift-format-ignore: AlwaysUseLowerCamelCase
        /// TLS 1.3, RFC 8446.
        case v1_3 = 0x0304

        /// Older versions come first.
        public static func < (left: Version, right: Version) -> Bool { left.rawValue < right.rawValue }

        /// `TLS 1.2` or `TLS 1.3`.
        public var description: String {
            switch self {
            case .v1_2: "TLS 1.2"
            case .v1_3: "TLS 1.3"
            }
        }
    }
    /// What must be true of a server's certificate.
    public typealias Verification = TLSTrust.Verification
}

extension TLSOptions {
    /// Decides about a server; see ``TLSOptions/evaluate``.
    public typealias Evaluator = @Sendable (TLSTrust) async -> TLSTrust.Decision

    /// An evaluator that can be compared: it equals its copies and nothing else.
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

    /// Decides whether a server is trusted, once its certificates are there and have been verified as configured: before a
    /// client certificate or a byte of a request is sent. Default nil: the verification decides.
    ///
    /// Called once for each full handshake, also where the verification has failed already, which it may overrule. A
    /// connection that resumes a session shows no certificates and is not asked about: only sessions that were accepted by
    /// this very evaluation are resumed, and not past the end of the certificate. Sets no deadline of its own: the handshake
    /// ends by the `tls` deadline whether the closure has answered or not, and then, or when the connection is
    /// given up, the closure's task is cancelled.
    ///
    /// Two configurations share connections only if one is a copy of the other: a closure that is made for each request
    /// opens a connection for each. Not archived. AFNetworking's `setSessionDidReceiveAuthenticationChallengeBlock:`.
    ///
    /// ```swift
    /// tls.evaluate = { trust in
    ///     guard trust.failure == nil else { return .standard }
    ///     return await blocklist.contains(trust.certificates[0].serialNumber) ? .reject("blocked") : .accept
    /// }
    /// ```
    public var evaluate: Evaluator? {
        get { evaluation?.evaluator }
        set { evaluation = newValue.map { Evaluation($0) } }
    }
}

extension TLSOptions {
    /// A configuration in the terms of AFNetworking's `AFSecurityPolicy`, with its outcomes:
    ///
    /// | pins | `allowInvalidCertificates` | trusted is |
    /// | --- | --- | --- |
    /// | none | false | a chain that leads to ``roots``, for the host |
    /// | none | true | everybody; refused together with `validatesDomainName`, as there is nothing to go by |
    /// | `.publicKey` | false | such a chain with a pinned key in it |
    /// | `.publicKey` | true | whose key is pinned, or vouched for by a pinned one that it sends, for the host |
    /// | `.certificate` | false | such a chain with a pinned certificate in it |
    /// | `.certificate` | true | a chain that leads to a pinned certificate and is in date, for the host |
    ///
    /// `validatesDomainName: false` takes away "for the host". A set of pins that is empty refuses everybody, and pins are
    /// refused over plain http. One thing differs: AFNetworking does not look at the host for `.publicKey` with invalid
    /// certificates allowed, although `validatesDomainName` is set; here it is looked at.
    ///
    /// - Parameters:
    ///   - pinning: `SSLPinningMode` with `pinnedCertificates`; nil is `AFSSLPinningModeNone`.
    ///   - allowInvalidCertificates: Whether nobody has to vouch for the server's certificate. Default false.
    ///   - validatesDomainName: Whether the certificate must be for the host. Default true.
    public static func securityPolicy(
        pinning: TLSOptions.Pinning? = nil, allowInvalidCertificates: Bool = false, validatesDomainName: Bool = true
    ) -> TLSOptions {
        var configuration = TLSOptions(pinning: pinning)
        configuration.allowInvalidCertificates = allowInvalidCertificates
        configuration.validatesDomainName = validatesDomainName
        return configuration
    }

    /// Whether nobody has to vouch for a server's certificate: one half of ``verification``. Default false.
    public var allowInvalidCertificates: Bool {
        get { !verification.checksChain }
        set { verification = Verification(checksChain: !newValue, checksHostName: verification.checksHostName) }
    }

    /// Whether a server's certificate must be for the host: the other half of ``verification``. Default true.
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
