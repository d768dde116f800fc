import SockeyeCore

extension TLSConfiguration: Codable {
    private enum CodingKeys: CodingKey {
        case roots, identity, minimumVersion, maximumVersion, ciphers, cipherSuites, applicationProtocols
        case verification, serverName, pinning, revocation, usesKernelTLS, keyLogFile
    }

    /// Reads a configuration; what is missing is the default.
    public init(from decoder: any Decoder) throws {
        self.init()
        let container = try decoder.container(keyedBy: CodingKeys.self)
        try container.read(.roots, into: &roots)
        try container.read(.identity, into: &identity)
        try container.read(.minimumVersion, into: &minimumVersion)
        try container.read(.maximumVersion, into: &maximumVersion)
        try container.read(.ciphers, into: &ciphers)
        try container.read(.cipherSuites, into: &cipherSuites)
        try container.read(.applicationProtocols, into: &applicationProtocols)
        try container.read(.verification, into: &verification)
        try container.read(.serverName, into: &serverName)
        try container.read(.pinning, into: &pinning)
        try container.read(.revocation, into: &revocation)
        try container.read(.usesKernelTLS, into: &usesKernelTLS)
        try container.read(.keyLogFile, into: &keyLogFile)
    }

    /// Writes a configuration.
    ///
    /// - Throws: `EncodingError.invalidValue` for a private key in memory and for a passphrase, since archives are read by many;
    ///   and for an ``evaluate`` closure, which would be lost.
    public func encode(to encoder: any Encoder) throws {
        guard evaluation == nil else {
            throw EncodingError.unarchivable("an evaluation cannot be archived", at: encoder.codingPath)
        }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(roots, forKey: .roots)
        try container.encode(identity, forKey: .identity)
        try container.encode(minimumVersion, forKey: .minimumVersion)
        try container.encode(maximumVersion, forKey: .maximumVersion)
        try container.encode(ciphers, forKey: .ciphers)
        try container.encode(cipherSuites, forKey: .cipherSuites)
        try container.encode(applicationProtocols, forKey: .applicationProtocols)
        try container.encode(verification, forKey: .verification)
        try container.encode(serverName, forKey: .serverName)
        try container.encode(pinning, forKey: .pinning)
        try container.encode(revocation, forKey: .revocation)
        try container.encode(usesKernelTLS, forKey: .usesKernelTLS)
        try container.encode(keyLogFile, forKey: .keyLogFile)
    }
}

extension TLSConfiguration.Version: Codable {
    /// Reads `TLS 1.2` or `TLS 1.3`.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let version = Self.allCases.first(where: { $0.description == text }) else {
            throw DecodingError.unknown("TLS version", at: decoder.codingPath)
        }
        self = version
    }

    /// Writes the name.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension TLSConfiguration.Verification: Codable {
    private static let names: [(name: String, value: Self)] = [
        ("full", .full), ("chainOnly", .chainOnly), ("hostNameOnly", .hostNameOnly), ("none", .none),
    ]

    /// Reads the name of a case.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let found = Self.names.first(where: { $0.name == text }) else {
            throw DecodingError.unknown("verification", at: decoder.codingPath)
        }
        self = found.value
    }

    /// Writes the name of the case.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Self.names.first { $0.value == self }?.name)
    }
}
