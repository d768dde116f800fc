import COpenSSL
public import SockeyeCore
import SockeyePlatform

extension TestCertificateAuthority {
    /// The status of a certificate in an OCSP response.
    ///
    /// Never gains a case: OCSP has these three (RFC 6960 section 2.2).
    public enum OCSPStatus: Sendable, Hashable {
        /// The certificate has not been revoked.
        case good
        /// The certificate has been revoked.
        case revoked
        /// The responder does not know the certificate.
        case unknown

        fileprivate var number: Int32 {
            switch self {
            case .good: V_OCSP_CERTSTATUS_GOOD
            case .revoked: V_OCSP_CERTSTATUS_REVOKED
            case .unknown: V_OCSP_CERTSTATUS_UNKNOWN
            }
        }
    }

    /// Makes a certificate revocation list (CRL, RFC 5280 5) in PEM.
    ///
    /// - Parameters:
    ///   - revoked: The certificates in the list. Only certificates of this authority are meaningful.
    ///   - validFrom: The start of the list's validity, relative to now.
    ///   - validUntil: The end of the list's validity, relative to now; negative for an expired list.
    public func revocationList(
        revoking revoked: [TestCertificate] = [], validFrom: Duration = .seconds(-3600),
        validUntil: Duration = .seconds(86400)
    ) throws(TestCertificateError) -> String {
        guard let list = unsafe X509_CRL_new() else { throw OpenSSLCall.failure("making a revocation list") }
        defer { unsafe X509_CRL_free(list) }
        unsafe X509_CRL_set_version(list, 1)
        try unsafe TestCertificate.withCertificate(certificate.der) { issuer in
            _ = unsafe X509_CRL_set_issuer_name(list, X509_get_subject_name(issuer))
        }
        let (from, until) = unsafe (Self.time(validFrom), Self.time(validUntil))
        defer {
            unsafe ASN1_STRING_free(from)
            unsafe ASN1_STRING_free(until)
        }
        unsafe X509_CRL_set1_lastUpdate(list, from)
        unsafe X509_CRL_set1_nextUpdate(list, until)
        for one in revoked {
            try unsafe TestCertificate.withCertificate(one.der) { certificate in
                let entry = unsafe X509_REVOKED_new()
                unsafe X509_REVOKED_set_serialNumber(entry, X509_get_serialNumber(certificate))
                unsafe X509_REVOKED_set_revocationDate(entry, from)
                unsafe X509_CRL_add0_revoked(list, entry)
            }
        }
        unsafe X509_CRL_sort(list)
        try unsafe certificate.key.withKey { _ = unsafe X509_CRL_sign(list, $0, EVP_sha256()) }
        let pem = unsafe OpenSSLCall.memory { unsafe PEM_write_bio_X509_CRL($0, list) == 1 }
        guard let pem else { throw OpenSSLCall.failure("writing a revocation list") }
        return String(decoding: pem, as: UTF8.self)
    }

    /// Makes an OCSP response (RFC 6960) in DER, for a server to staple.
    ///
    /// - Parameters:
    ///   - subject: The certificate that the response is about. Only a certificate of this authority is meaningful.
    ///   - status: The status of the certificate.
    ///   - validFrom: The start of the response's validity, relative to now.
    ///   - validUntil: The end of the response's validity, relative to now; nil omits it.
    ///   - signer: The certificate that signs instead of this authority: a certificate issued for
    ///     ``TestCertificateOptions/Purpose/ocspSigning``, or, to make a bad response, a certificate without this
    ///     purpose.
    public func ocspResponse(
        for subject: TestCertificate, _ status: OCSPStatus = .good, validFrom: Duration = .seconds(-3600),
        validUntil: Duration? = .seconds(86400), signedBy signer: TestCertificate? = nil
    ) throws(TestCertificateError) -> Bytes {
        guard let basic = unsafe OCSP_BASICRESP_new() else { throw OpenSSLCall.failure("making an OCSP response") }
        defer { unsafe OCSP_BASICRESP_free(basic) }
        let (from, until) = unsafe (Self.time(validFrom), validUntil.flatMap { unsafe Self.time($0) })
        defer {
            unsafe ASN1_STRING_free(from)
            unsafe ASN1_STRING_free(until)
        }
        try unsafe add(subject, status.number, from, until, to: basic)
        try unsafe Self.sign(basic, by: signer ?? certificate)
        guard let response = unsafe OCSP_response_create(OCSP_RESPONSE_STATUS_SUCCESSFUL, basic) else {
            throw OpenSSLCall.failure("making an OCSP response")
        }
        defer { unsafe OCSP_RESPONSE_free(response) }
        var encoded: UnsafeMutablePointer<UInt8>?
        let count = unsafe i2d_OCSP_RESPONSE(response, &encoded)
        guard count > 0 else { throw OpenSSLCall.failure("writing an OCSP response") }
        defer { unsafe CRYPTO_free(encoded, "", 0) }
        return unsafe Bytes(copying: UnsafeRawBufferPointer(start: encoded, count: Int(count)))
    }

    private func add(
        _ subject: TestCertificate, _ status: Int32, _ from: UnsafeMutablePointer<ASN1_TIME>?,
        _ until: UnsafeMutablePointer<ASN1_TIME>?, to basic: OpaquePointer
    ) throws(TestCertificateError) {
        let name = try unsafe TestCertificate.withCertificate(subject.der) { leaf in
            unsafe Result { () throws(TestCertificateError) in
                try unsafe TestCertificate.withCertificate(certificate.der) { issuer in
                    unsafe OCSP_cert_to_id(EVP_sha1(), leaf, issuer)
                }
            }
        }
        let identifier = try unsafe name.get()
        unsafe OCSP_basic_add1_status(
            basic, identifier, status, OCSP_REVOKED_STATUS_KEYCOMPROMISE, from, from, until)
        unsafe OCSP_CERTID_free(identifier)
    }

    private static func sign(_ basic: OpaquePointer, by signer: TestCertificate) throws(TestCertificateError) {
        let isSigned = try unsafe signer.key.withKey { key throws(TestCertificateError) in
            try unsafe TestCertificate.withCertificate(signer.der) { certificate in
                unsafe OCSP_basic_sign(basic, certificate, key, EVP_sha256(), nil, 0) == 1
            }
        }
        guard isSigned else { throw OpenSSLCall.failure("signing an OCSP response") }
    }

    private static func time(_ offset: Duration) -> UnsafeMutablePointer<ASN1_TIME>? {
        unsafe ASN1_GENERALIZEDTIME_adj(nil, Int(SystemClock.unixTime), 0, CertificateBuilder.seconds(offset))
    }
}
