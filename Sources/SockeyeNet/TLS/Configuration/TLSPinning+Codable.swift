import SockeyeCore

extension TLSPinning: Codable {
    private enum CodingKeys: CodingKey { case publicKeys, certificates }

    /// Reads pins of one kind.
    ///
    /// - Throws: `DecodingError` for a malformed one.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let pins = try container.decodeIfPresent([PublicKeyPin].self, forKey: .publicKeys) {
            self = .publicKey(pins)
        } else {
            self = .certificate(try container.decode([CertificatePin].self, forKey: .certificates))
        }
    }

    /// Writes the pins in an order of their own, so that equal ones make equal archives.
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

extension TLSPinning.PublicKeyPin: Codable {
    /// Reads a pin from its text.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let pin = try? Self.spki(text) else { throw DecodingError.unknown("pin", at: decoder.codingPath) }
        self = pin
    }

    /// Writes `sha256/…`, also of a pin that was given as a certificate.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension TLSPinning.CertificatePin: Codable {
    /// Reads a pin from its text, or from a certificate in PEM.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        let pin = text.hasPrefix("sha256/") ? try? Self.sha256(text) : try? Self.certificate(pem: text)
        guard let pin else { throw DecodingError.unknown("pin", at: decoder.codingPath) }
        self = pin
    }

    /// Writes the certificate in PEM where it is known, else `sha256/…`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(der.map { TLSCertificate(der: $0).pem } ?? description)
    }
}
