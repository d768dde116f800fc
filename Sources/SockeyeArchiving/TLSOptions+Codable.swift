public import SockeyeNet

extension TLSOptions: Codable {
    private static let archive = Archive<Self>(
        .value("roots", \.roots), .value("identity", \.identity), .value("minimumVersion", \.minimumVersion),
        .value("maximumVersion", \.maximumVersion), .value("ciphers", \.ciphers),
        .value("cipherSuites", \.cipherSuites), .value("applicationProtocols", \.applicationProtocols),
        .value("verification", \.verification), .value("serverName", \.serverName), .value("pinning", \.pinning),
        .value("revocation", \.revocation), .value("usesKernelTLS", \.usesKernelTLS),
        .value("keyLogFile", \.keyLogFile))

    /// Reads options. Missing options take their defaults.
    public init(from decoder: any Decoder) throws {
        self = try Self.archive.read(from: decoder, over: Self())
    }

    /// Writes the options.
    ///
    /// - Throws: `EncodingError.invalidValue` for a private key in memory and for a passphrase, because other people
    ///   may read the archive; and for an `evaluate` closure, which would be lost.
    public func encode(to encoder: any Encoder) throws {
        guard evaluate == nil else {
            throw EncodingError.unarchivable("the evaluate closure cannot be archived", at: encoder.codingPath)
        }
        try Self.archive.write(self, to: encoder)
    }
}

extension TLSOptions.Version: Codable {
    /// Reads `TLS 1.2` or `TLS 1.3`.
    public init(from decoder: any Decoder) throws {
        self = try decoder.value(named: Self.allCases.map { ($0.description, $0) }, kind: "TLS version")
    }

    /// Writes the name of the version.
    public func encode(to encoder: any Encoder) throws { try encoder.write(text: description) }
}

extension TLSOptions.Verification: Codable {
    private static let names: [(name: String, value: Self)] = [
        ("full", .full), ("chainOnly", .chainOnly), ("hostNameOnly", .hostNameOnly), ("none", .none),
    ]

    /// Reads the name of a case.
    public init(from decoder: any Decoder) throws {
        self = try decoder.value(named: Self.names, kind: "verification")
    }

    /// Writes the name of the case.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Self.names.first { $0.value == self }?.name)
    }
}

extension TLSOptions.PEM: Codable {
    private enum CodingKeys: CodingKey { case file, text }

    /// Reads the path of a file, or PEM text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let path = try container.decodeIfPresent(String.self, forKey: .file) {
            self = .file(path)
        } else {
            self = .text(try container.decode(String.self, forKey: .text))
        }
    }

    /// Writes the path of the file, or the PEM text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch source {
        case .file(let path): try container.encode(path, forKey: .file)
        case .bytes(let bytes): try container.encode(String(decoding: bytes, as: UTF8.self), forKey: .text)
        }
    }
}

extension TLSOptions.Identity: Codable {
    private enum CodingKeys: CodingKey { case certificateChain, privateKey }

    /// Reads the sources of the certificates and the key.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self = .pem(
            certificateChain: try container.decode(TLSOptions.PEM.self, forKey: .certificateChain),
            privateKey: try container.decode(TLSOptions.PEM.self, forKey: .privateKey))
    }

    /// Writes the sources of the certificates and the key.
    ///
    /// - Throws: `EncodingError.invalidValue` for a key in memory and for a passphrase.
    public func encode(to encoder: any Encoder) throws {
        guard case .file = privateKey.source, passphrase == nil else {
            throw EncodingError.unarchivable("private keys and passphrases are not archived", at: encoder.codingPath)
        }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(certificateChain, forKey: .certificateChain)
        try container.encode(privateKey, forKey: .privateKey)
    }
}

extension TLSOptions.Roots: Codable {
    private enum CodingKeys: CodingKey { case system, directory, pem }

    /// Reads a list of sources.
    public init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        var sources: [Source] = []
        while !list.isAtEnd {
            let container = try list.nestedContainer(keyedBy: CodingKeys.self)
            if let path = try container.decodeIfPresent(String.self, forKey: .directory) {
                sources.append(.directory(path))
            } else if let pem = try container.decodeIfPresent(TLSOptions.PEM.self, forKey: .pem) {
                sources.append(.pem(pem))
            } else if try container.decode(Bool.self, forKey: .system) {
                sources.append(.system)
            }
        }
        self.init(sources: sources)
    }

    /// Writes a list of sources: `{"system": true}`, `{"directory": path}`, `{"pem": …}`.
    public func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        for source in sources {
            var container = list.nestedContainer(keyedBy: CodingKeys.self)
            switch source {
            case .system: try container.encode(true, forKey: .system)
            case .directory(let path): try container.encode(path, forKey: .directory)
            case .pem(let pem): try container.encode(pem, forKey: .pem)
            }
        }
    }
}
