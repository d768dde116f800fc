public import SockeyeNet

extension TLSOptions.Pinning: Codable {
    private enum CodingKeys: CodingKey { case publicKeys, certificates }

    /// Reads public-key pins or certificate pins.
    ///
    /// - Throws: `DecodingError` for a malformed pin, or if the archive has both `publicKeys` and `certificates`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard container.allKeys.count < 2 else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "pins are either publicKeys or certificates, not both"))
        }
        if let pins = try container.decodeIfPresent([PublicKeyPin].self, forKey: .publicKeys) {
            self = .publicKey(pins)
        } else {
            self = .certificate(try container.decode([CertificatePin].self, forKey: .certificates))
        }
    }

    /// Writes the pins sorted, so that equal pins have equal archives.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch kind {
        case .publicKeys(let pins):
            try container.encode(pins.sorted { $0.description < $1.description }, forKey: .publicKeys)
        case .certificates(let pins):
            try container.encode(pins.sorted { $0.description < $1.description }, forKey: .certificates)
        }
    }
}

extension TLSOptions.Pinning.PublicKeyPin: Codable {
    /// Reads a pin from its text.
    public init(from decoder: any Decoder) throws {
        guard let pin = try? Self.spki(decoder.text()) else {
            throw DecodingError.unknown("pin", at: decoder.codingPath)
        }
        self = pin
    }

    /// Writes `sha256/…`, also for a pin that was made from a certificate.
    public func encode(to encoder: any Encoder) throws { try encoder.write(text: description) }
}

extension TLSOptions.Pinning.CertificatePin: Codable {
    /// Reads a pin from its text, or from a certificate in PEM.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.text()
        let pin = text.hasPrefix("sha256/") ? try? Self.sha256(text) : try? Self.certificate(pem: text)
        guard let pin else { throw DecodingError.unknown("pin", at: decoder.codingPath) }
        self = pin
    }

    /// Writes the certificate in PEM if it is known, otherwise `sha256/…`.
    public func encode(to encoder: any Encoder) throws {
        try encoder.write(text: der.map { TLSCertificate(der: $0).pem } ?? description)
    }
}

extension TLSOptions.Revocation: Codable {
    private static let archive = Archive<Self>(.optional("lists", \.lists), .optional("stapling", \.stapling))

    /// Reads the sources of revocation information. A source that the archive lacks is not used.
    public init(from decoder: any Decoder) throws {
        self = try Self.archive.read(from: decoder, over: Self())
    }

    /// Writes the sources of revocation information.
    public func encode(to encoder: any Encoder) throws { try Self.archive.write(self, to: encoder) }
}

extension TLSOptions.Revocation.Lists: Codable {
    private enum CodingKeys: CodingKey { case file, folder }

    private static let archive = Archive<Self>(
        .value("policy", \.policy), .value("coversChain", \.coversChain))

    /// Reads the path of the file or folder with the lists. Missing settings take their defaults.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let file = try container.decodeIfPresent(String.self, forKey: .file)
        let lists: Self =
            if let file { .file(file) } else { .folder(try container.decode(String.self, forKey: .folder)) }
        self = try Self.archive.read(from: decoder, over: lists)
    }

    /// Writes `{"file": path}` or `{"folder": path}`, with `policy` and `coversChain`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch source {
        case .file(let path): try container.encode(path, forKey: .file)
        case .folder(let path): try container.encode(path, forKey: .folder)
        }
        try Self.archive.write(self, to: encoder)
    }
}

/// Archived as its raw value.
extension TLSOptions.Revocation.Policy: Codable {}
