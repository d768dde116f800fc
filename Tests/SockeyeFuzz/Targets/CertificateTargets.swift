import SockeyeCore
import SockeyeNet
import SockeyeTesting

/// Certificates, the OCSP responses that servers staple, PEM text and the names in certificates.
enum CertificateTargets {
    /// The last byte of the input selects the kind of the rest. For two kinds the rest is a list of edits of a valid
    /// certificate or response.
    static let certificates: FuzzTarget = { bytes in
        var input = FuzzInput(bytes)
        switch input.choice(below: 6) {
        case 0: read(TLSCertificate(der: Bytes(input.bytes)))
        case 1: read(TLSCertificate(der: Bytes(edited(Array(authority.leaf.der), by: input.bytes))))
        case 2: judge(Bytes(input.bytes))
        case 3: judge(Bytes(edited(Array(authority.staple), by: input.bytes)))
        case 4: readPEM(input.text)
        default: match(input.bytes)
        }
    }

    /// A test authority's certificates and OCSP response, made once in each process. The target keeps no other state,
    /// but keys and dates differ from run to run.
    private static let authority: (leaf: TestCertificate, issuer: TestCertificate, staple: Bytes) = {
        do {
            let root = try TestCertificateAuthority()
            let leaf = try root.issue()
            return (leaf, root.certificate, try root.ocspResponse(for: leaf))
        } catch {
            fatalError("\(error)")
        }
    }()

    /// Replaces, inserts or removes a byte for each three bytes of `edits`. The first two bytes are the kind of the
    /// edit and its place, and the third byte is the value.
    private static func edited(_ bytes: [UInt8], by edits: [UInt8]) -> [UInt8] {
        var result = bytes
        for start in stride(from: 0, to: edits.count - 2, by: 3) {
            let place = (Int(edits[start] & 0x3F) << 8 | Int(edits[start + 1])) % max(1, result.count)
            switch edits[start] >> 6 {
            case 2: result.insert(edits[start + 2], at: place)
            case 3 where place < result.count: result.remove(at: place)
            default: if place < result.count { result[place] = edits[start + 2] }
            }
        }
        return result
    }

    /// Checks that the texts of a certificate are short and printable, and that its pins match it.
    private static func read(_ certificate: TLSCertificate) {
        let texts = [certificate.subject, certificate.issuer, certificate.serialNumber, certificate.description]
        for text in texts + certificate.dnsNames + certificate.ipAddresses {
            require(
                !text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }, "a control character in a text")
        }
        // OpenSSL passes invalid UTF-8 on, so each of the 256 bytes may be replaced by U+FFFD.
        require(certificate.subject.utf8.count <= 3 * 256 && certificate.issuer.utf8.count <= 3 * 256, "a long name")
        _ = (certificate.validFrom, certificate.validUntil, certificate.isAuthority)
        guard !certificate.fingerprint.isEmpty else {
            require(certificate.publicKeyPin.isEmpty, "a key without a certificate")
            return
        }
        let pin = try? TLSOptions.Pinning.CertificatePin.certificate(certificate.der)
        require(pin?.description == certificate.fingerprint, "the pin of a certificate does not match it")
        // The DER of the pins may differ, because reading PEM encodes the certificate again, and OpenSSL also reads
        // BER.
        let again = try? TLSOptions.Pinning.CertificatePin.certificate(pem: certificate.pem)
        require(again?.description == certificate.fingerprint, "PEM holds another certificate")
    }

    /// Checks that a response counts as good or as a revocation only with a signature and a time.
    private static func judge(_ response: Bytes) {
        let leaf = TLSCertificate(der: authority.leaf.der)
        let issuer = TLSCertificate(der: authority.issuer.der)
        let (status, until) = StapledResponse.check(response, of: leaf, issuer: issuer)
        switch status {
        case .notChecked(let reason):
            require(response != authority.staple, "a good response is refused: \(reason)")
            require(!reason.unicodeScalars.contains { $0.value < 0x20 }, "a control in a reason")
        case .good: require(until != nil, "a good response without an expiry")
        case .revoked: require(response != authority.staple, "a good response is taken for a revocation")
        case .notAsked: fatalError("the response was not checked")
        }
        // The same response must not count for another certificate.
        let (other, _) = StapledResponse.check(response, of: issuer, issuer: issuer)
        if case .notChecked = other { return }
        fatalError("a response for one certificate holds for another")
    }

    private static func readPEM(_ text: String) {
        guard let pin = try? TLSOptions.Pinning.CertificatePin.certificate(pem: text) else { return }
        require(pin.description.hasPrefix("sha256/") && pin.description.utf8.count == 51, "\(pin)")
    }

    /// The input has a pattern and a host, separated by a zero byte.
    private static func match(_ bytes: [UInt8]) {
        let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return }
        let (pattern, host) = (Array(parts[0]), Array(parts[1]))
        guard HostNameMatcher.matches(pattern: pattern, host: host) else { return }
        func labels(_ name: [UInt8]) -> [ArraySlice<UInt8>] {
            let name = name.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
            return (name.last == 0x2E ? name.dropLast() : name[...]).split(
                separator: 0x2E, omittingEmptySubsequences: false)
        }
        let (wanted, seen) = (labels(pattern), labels(host))
        require(wanted.count == seen.count && wanted.dropFirst() == seen.dropFirst(), "a name of other labels matches")
        require(wanted[0] == seen[0] || wanted[0] == [0x2A] && wanted.count > 2, "another first label matches")
        let isMatched = HostNameMatcher.matches(pattern: pattern, host: host) { _ in true }
        require(isMatched == !pattern.contains(0x2A), "a wildcard stands for the names below a public suffix")
    }
}
