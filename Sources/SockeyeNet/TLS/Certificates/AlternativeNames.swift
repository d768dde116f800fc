import COpenSSL

/// The subject alternative names of a certificate that can name a server.
struct AlternativeNames {
    private(set) var dns: [[UInt8]] = []
    private(set) var addresses: [[UInt8]] = []

    init(_ certificate: CertificateView) {
        guard let list = unsafe X509_get_ext_d2i(certificate.pointer, NID_subject_alt_name, nil, nil) else { return }
        let names = OpaquePointer(list)
        defer { unsafe GENERAL_NAMES_free(names) }
        for index in unsafe 0..<OPENSSL_sk_num(names) {
            guard let name = unsafe OPENSSL_sk_value(names, index) else { continue }
            var kind: Int32 = 0
            let value = unsafe GENERAL_NAME_get0_value(name.assumingMemoryBound(to: GENERAL_NAME.self), &kind)
            guard let value = unsafe value, kind == GEN_DNS || kind == GEN_IPADD else { continue }
            let string = unsafe value.assumingMemoryBound(to: ASN1_STRING.self)
            let start = unsafe ASN1_STRING_get0_data(string)
            let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: Int(ASN1_STRING_length(string))))
            if kind == GEN_DNS { dns.append(bytes) } else { addresses.append(bytes) }
        }
    }

    /// Names match names, addresses match addresses; the common name is never looked at (RFC 9525 6.4).
    ///
    /// - Parameter isPublicSuffix: says below which names everybody may register; no wildcard stands for those.
    func contains(_ name: PeerName, isPublicSuffix: ((String) -> Bool)? = nil) -> Bool {
        switch name {
        case .dns(let host):
            let host = Array(host.utf8)
            return dns.contains { HostNameMatcher.matches(pattern: $0, host: host, isPublicSuffix: isPublicSuffix) }
        case .address(let bytes):
            return addresses.contains(bytes)
        }
    }

    /// The dNSNames as text; what is not printable is a question mark.
    var dnsTexts: [String] {
        dns.map { name in
            String(decoding: name.prefix(256).map { (0x21...0x7E).contains($0) ? $0 : 0x3F }, as: UTF8.self)
        }
    }

    /// The addresses as literals.
    var addressTexts: [String] { addresses.map(PeerName.text(ofAddress:)) }

    /// The names for a message: printable, and not more than ten.
    var text: String {
        let texts = dnsTexts + addressTexts
        guard !texts.isEmpty else { return "no name at all" }
        let shown = texts.prefix(10).joined(separator: ", ")
        return texts.count > 10 ? "\(shown) and \(texts.count - 10) more" : shown
    }
}
