import COpenSSL

/// Matches host names against the dNSNames of a certificate (RFC 9525 6.3).
///
/// OpenSSL's own matcher is not used because it interprets a host that starts with a dot as "any subdomain".
package enum HostNameMatcher {
    /// Returns true if a dNSName of a certificate covers a host.
    ///
    /// - Parameters:
    ///   - pattern: A dNSName of the certificate; arbitrary bytes, since the peer wrote it.
    ///   - host: The name to connect to, with internationalised labels as A-labels.
    ///   - isPublicSuffix: Returns true for a public suffix such as `co.uk`, under which anyone can register names.
    ///     Wildcards directly under it, such as `*.co.uk`, do not match, because publicly trusted certificate
    ///     authorities must not issue them (CA/Browser Forum Baseline Requirements 3.2.2.6). If the function is nil,
    ///     such wildcards match.
    package static func matches(
        pattern: some Collection<UInt8>, host: some Collection<UInt8>, isPublicSuffix: ((String) -> Bool)? = nil
    ) -> Bool {
        let pattern = normalized(pattern)
        let host = normalized(host)
        guard !pattern.isEmpty, !host.isEmpty else { return false }
        guard pattern.contains(star) else { return pattern == host && host.first != dot }
        guard matchesWildcard(pattern, host) else { return false }
        return isPublicSuffix?(String(decoding: pattern.dropFirst(2), as: UTF8.self)) != true
    }

    private static let dot = UInt8(ascii: ".")
    private static let star = UInt8(ascii: "*")

    /// Returns the name in lower case, without the final dot of a fully qualified name.
    private static func normalized(_ name: some Collection<UInt8>) -> [UInt8] {
        var name = name.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        if name.last == dot { name.removeLast() }
        return name
    }

    /// Matches a wildcard. The star must be the whole leftmost label, it stands for exactly one label, and at least two
    /// labels must follow it.
    private static func matchesWildcard(_ pattern: [UInt8], _ host: [UInt8]) -> Bool {
        guard pattern.starts(with: [star, dot]) else { return false }
        let fixed = pattern.dropFirst(2)
        let labels = fixed.split(separator: dot, omittingEmptySubsequences: false)
        guard labels.count >= 2, labels.allSatisfy({ isLabel($0) && !$0.contains(star) }) else { return false }
        // If the last label of the pattern has only digits, only hosts such as 127.0.0.1 could match. These are IPv4
        // addresses in some notation, and a wildcard never matches an address.
        guard labels.last?.allSatisfy({ (0x30...0x39).contains($0) }) == false else { return false }
        guard let cut = host.firstIndex(of: dot), isLabel(host[..<cut]) else { return false }
        return host[(cut + 1)...].elementsEqual(fixed)
    }

    /// Accepts letters, digits and hyphens, and also underscores and stars, which occur in DNS although host names
    /// exclude them.
    private static func isLabel(_ label: ArraySlice<UInt8>) -> Bool {
        !label.isEmpty
            && label.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"), star: true
                default: false
                }
            }
    }
}

/// The subject alternative names of a certificate that can identify a server.
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

    /// Returns true if a name matches. DNS names match DNS names, and addresses match addresses; the common name is
    /// ignored (RFC 9525 6.4).
    ///
    /// - Parameter isPublicSuffix: Returns true for a public suffix; wildcards directly under it do not match.
    func contains(_ name: PeerName, isPublicSuffix: ((String) -> Bool)? = nil) -> Bool {
        switch name {
        case .dns(let host):
            let host = Array(host.utf8)
            return dns.contains { HostNameMatcher.matches(pattern: $0, host: host, isPublicSuffix: isPublicSuffix) }
        case .address(let bytes):
            return addresses.contains(bytes)
        }
    }

    /// The dNSNames as text, at most 256 bytes of each; unprintable bytes become question marks.
    var dnsTexts: [String] {
        dns.map { name in
            String(decoding: name.prefix(256).map { (0x21...0x7E).contains($0) ? $0 : 0x3F }, as: UTF8.self)
        }
    }

    /// The addresses as literals.
    var addressTexts: [String] { addresses.map(PeerName.text(ofAddress:)) }

    /// The names for an error message: printable, and at most ten.
    var text: String {
        let texts = dnsTexts + addressTexts
        guard !texts.isEmpty else { return "no name" }
        let shown = texts.prefix(10).joined(separator: ", ")
        return texts.count > 10 ? "\(shown) and \(texts.count - 10) more" : shown
    }
}
