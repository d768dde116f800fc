import COpenSSL
import SockeyeCore
import SockeyePlatform

/// A builder of one X.509 certificate. Frees the OpenSSL object when released.
@safe final class CertificateBuilder {
    private let certificate: OpaquePointer
    private let now = Int(SystemClock.unixTime)

    init(subject: String, publicKey: OpaquePointer) throws(TestCertificateError) {
        guard let certificate = unsafe X509_new() else { throw OpenSSLCall.failure("making a certificate") }
        unsafe self.certificate = unsafe certificate
        unsafe X509_set_version(certificate, 2)
        unsafe X509_set_pubkey(certificate, publicKey)
        var serial: UInt64 = 0
        unsafe withUnsafeMutableBytes(of: &serial) { _ = unsafe RAND_bytes($0.baseAddress, 8) }
        unsafe ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), serial >> 1)
        try unsafe Self.setCommonName(subject, in: X509_get_subject_name(certificate))
    }

    deinit {
        unsafe X509_free(certificate)
    }

    private static func setCommonName(_ text: String, in name: OpaquePointer?) throws(TestCertificateError) {
        guard unsafe X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, text, -1, -1, 0) == 1 else {
            throw OpenSSLCall.failure("setting the common name '\(text)'")
        }
    }

    /// Sets the validity period (notBefore and notAfter), relative to now.
    func setValidity(from: Duration, until: Duration) {
        unsafe ASN1_TIME_set(X509_getm_notBefore(certificate), now + Self.seconds(from))
        unsafe ASN1_TIME_set(X509_getm_notAfter(certificate), now + Self.seconds(until))
    }

    /// Returns a time offset in seconds, limited to 100 years before or after now. The limit keeps all dates after the
    /// year 1900: OpenSSL's `ASN1_GENERALIZEDTIME_adj`, which makes the times of revocation lists and OCSP responses,
    /// refuses earlier dates.
    static func seconds(_ offset: Duration) -> Int {
        let century: Int64 = 3_155_760_000
        return Int(min(max(-century, offset.clampedNanoseconds / 1_000_000_000), century))
    }

    /// Sets the issuer, and adds the key identifiers of the subject and of the issuer. If `issuer` is nil, the
    /// certificate is its own issuer and contains only the key identifier of the subject.
    func setIssuer(_ issuer: OpaquePointer?) throws(TestCertificateError) {
        unsafe X509_set_issuer_name(certificate, X509_get_subject_name(issuer ?? certificate))
        try unsafe add(NID_subject_key_identifier, "hash", issuer: issuer)
        if unsafe issuer != nil { try unsafe add(NID_authority_key_identifier, "keyid:always", issuer: issuer) }
    }

    /// Adds an extension written in the notation of `openssl.cnf`.
    func add(_ identifier: Int32, _ value: String, issuer: OpaquePointer? = nil) throws(TestCertificateError) {
        var context = unsafe X509V3_CTX()
        unsafe X509V3_set_ctx(&context, issuer ?? certificate, certificate, nil, nil, 0)
        guard let entry = unsafe X509V3_EXT_conf_nid(nil, &context, identifier, value) else {
            throw OpenSSLCall.failure("adding the extension '\(value)'")
        }
        defer { unsafe X509_EXTENSION_free(entry) }
        unsafe X509_add_ext(certificate, entry, -1)
    }

    /// Adds a subjectAltName extension if there are names or addresses. The extension is not parsed from `openssl.cnf`
    /// text, so names with commas, asterisks or invalid characters get into the certificate exactly as given.
    func addAlternativeNames(dns: [String], addresses: [String]) throws(TestCertificateError) {
        guard !dns.isEmpty || !addresses.isEmpty else { return }
        let names = unsafe OPENSSL_sk_new_null()
        defer { unsafe GENERAL_NAMES_free(names) }
        for name in dns { unsafe Self.append(GEN_DNS, Array(name.utf8), type: V_ASN1_IA5STRING, to: names) }
        for address in addresses {
            guard let string = unsafe a2i_IPADDRESS(address) else {
                throw TestCertificateError("'\(address)' is not an IP address")
            }
            defer { unsafe ASN1_OCTET_STRING_free(string) }
            let bytes = unsafe UnsafeBufferPointer(
                start: ASN1_STRING_get0_data(string), count: Int(ASN1_STRING_length(string)))
            unsafe Self.append(GEN_IPADD, Array(bytes), type: V_ASN1_OCTET_STRING, to: names)
        }
        unsafe X509_add1_ext_i2d(certificate, NID_subject_alt_name, UnsafeMutableRawPointer(names), 0, 0)
    }

    private static func append(_ kind: Int32, _ bytes: [UInt8], type: Int32, to names: OpaquePointer?) {
        let name = unsafe GENERAL_NAME_new()
        let value = unsafe ASN1_STRING_type_new(type)
        unsafe ASN1_STRING_set(value, bytes, Int32(bytes.count))
        unsafe GENERAL_NAME_set0_value(name, kind, value)
        unsafe OPENSSL_sk_push(names, name)
    }

    /// Signs the certificate and returns it in DER form.
    func sign(
        with key: OpaquePointer, digest: TestCertificateOptions.Digest
    ) throws(TestCertificateError) -> Bytes {
        let function =
            switch digest {
            case .sha256: unsafe EVP_sha256()
            case .sha1: unsafe EVP_sha1()
            }
        guard unsafe X509_sign(certificate, key, function) > 0 else {
            throw OpenSSLCall.failure("signing a certificate")
        }
        guard let der = unsafe OpenSSLCall.memory({ unsafe i2d_X509_bio($0, certificate) == 1 }) else {
            throw OpenSSLCall.failure("writing a certificate")
        }
        return der
    }
}
