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
