import SockeyeCore

extension TLSPinning: Codable {
    private enum CodingKeys: CodingKey { case publicKeys, certificates }

    /// Reads pins of one kind.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let pins = try container.decodeIfPresent([PublicKeyPin].self, forKey: .publicKeys) {
            self = .publicKey(pins)
        } else {
            let certificates = try container.decode([ArchivedCertificate].self, forKey: .certificates)
            self = .certificate(certificates.map(\.der))
        }
    }

    /// Writes the pins in an order of their own, so that equal ones make equal archives.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch kind {
        case .publicKeys(let pins):
            try container.encode(pins.sorted { $0.text < $1.text }, forKey: .publicKeys)
        case .certificates(let certificates):
            let sorted = certificates.sorted { $0.lexicographicallyPrecedes($1) }
            try container.encode(sorted.map { ArchivedCertificate(der: $0) }, forKey: .certificates)
        }
    }
}

extension TLSPinning.PublicKeyPin: Codable {
    private enum CodingKeys: CodingKey { case spki, certificate }

    /// What pins are ordered by.
    fileprivate var text: String {
        switch source {
        case .digest(let pin): pin
        case .certificate(let der): ArchivedCertificate(der: der).text
        }
    }

    /// Reads a pin.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let pin = try container.decodeIfPresent(String.self, forKey: .spki) {
            self = .spki(pin)
        } else {
            self = .certificate(try container.decode(ArchivedCertificate.self, forKey: .certificate).der)
        }
    }

    /// Writes the pin: `{"spki": "sha256/…"}`, or a certificate in hexadecimal digits.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch source {
        case .digest(let pin): try container.encode(pin, forKey: .spki)
        case .certificate(let der): try container.encode(ArchivedCertificate(der: der), forKey: .certificate)
        }
    }
}

/// A certificate in DER form, archived in hexadecimal digits.
private struct ArchivedCertificate: Codable {
    let der: Bytes

    init(der: Bytes) {
        self.der = der
    }

    init(from decoder: any Decoder) throws {
        let digits = try decoder.singleValueContainer().decode(String.self).utf8.map { $0 }
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap { index in
            UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16)
        }
        guard bytes.count * 2 == digits.count else {
            throw DecodingError.unknown("certificate", at: decoder.codingPath)
        }
        der = Bytes(bytes)
    }

    var text: String { der.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined() }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
