import COpenSSL
public import SockeyeCore

extension TLSOptions.Pinning {
    /// Pins the keys of all certificates in a folder; see ``certificate(folder:)``.
    public static func publicKey(folder: String) throws(TLSOptions.Fault) -> TLSOptions.Pinning {
        var pins: [PublicKeyPin] = []
        for der in try PinnedCertificate.all(in: folder) { pins.append(try .certificate(der)) }
        return .publicKey(pins)
    }

    /// Pins all certificates in a folder.
    ///
    /// Reads all files with the extension `cer`, `crt`, `der` or `pem`, in DER or PEM form, and blocks the calling
    /// thread meanwhile. The counterpart of AFNetworking's `certificatesInBundle:`.
    ///
    /// - Throws: ``TLSOptions/Fault`` if the folder cannot be read or contains no certificate, or if one of these files
    ///   cannot be read, is damaged or contains no certificate.
    public static func certificate(folder: String) throws(TLSOptions.Fault) -> TLSOptions.Pinning {
        var pins: [CertificatePin] = []
        for der in try PinnedCertificate.all(in: folder) { pins.append(try .certificate(der)) }
        return .certificate(pins)
    }
}

extension TLSOptions.Pinning.PublicKeyPin {
    /// Pins the key of a certificate in DER form, so that reissued certificates with the same key match too.
    public static func certificate(_ der: Bytes) throws(TLSOptions.Fault) -> TLSOptions.Pinning.PublicKeyPin {
        let digest = CertificateView.read(der) { $0.publicKeyPin }
        guard let digest = digest ?? nil else { throw PinnedCertificate.notDER }
        return TLSOptions.Pinning.PublicKeyPin(description: digest)
    }

    /// Pins the key of the single certificate in PEM text.
    public static func certificate(pem: String) throws(TLSOptions.Fault) -> TLSOptions.Pinning.PublicKeyPin {
        try certificate(PinnedCertificate.single(pem))
    }
}

extension TLSOptions.Pinning.CertificatePin {
    /// Pins a certificate in DER form.
    public static func certificate(_ der: Bytes) throws(TLSOptions.Fault) -> TLSOptions.Pinning.CertificatePin {
        guard let digest = CertificateView.read(der, { $0.fingerprint }) else { throw PinnedCertificate.notDER }
        return TLSOptions.Pinning.CertificatePin(description: digest, der: der)
    }

    /// Pins the single certificate in PEM text.
    public static func certificate(pem: String) throws(TLSOptions.Fault) -> TLSOptions.Pinning.CertificatePin {
        try certificate(PinnedCertificate.single(pem))
    }
}

/// Reads the certificates that callers pin.
enum PinnedCertificate {
    static let notDER = TLSOptions.Fault("a pinned certificate is not X.509 in DER form")

    static func single(_ pem: String) throws(TLSOptions.Fault) -> Bytes {
        let found = try all(.text(pem))
        guard found.count == 1 else {
            throw TLSOptions.Fault("the PEM text for one pin has \(found.count) certificates")
        }
        return found[0]
    }

    private static func all(_ pem: TLSOptions.PEM) throws(TLSOptions.Fault) -> [Bytes] {
        do throws(TLSError) {
            let certificates = try unsafe PEMReader.certificates(pem, role: "pinned certificate")
            defer { unsafe certificates.forEach(X509_free) }
            return unsafe certificates.map { unsafe CertificateView(pointer: $0).der }
        } catch {
            throw TLSOptions.Fault(error.message)
        }
    }

    static func all(in folder: String) throws(TLSOptions.Fault) -> [Bytes] {
        var found: [Bytes] = []
        for path in try files(in: folder) {
            let contents = try self.contents(of: path)
            if CertificateView.read(contents, { _ in true }) == true {
                found.append(contents)
            } else {
                found += try all(.file(path))
            }
        }
        guard !found.isEmpty else { throw TLSOptions.Fault("the folder \(folder) contains no certificate to pin") }
        return found
    }

    private static func files(in folder: String) throws(TLSOptions.Fault) -> [String] {
        do throws(TLSError) {
            return try FolderContents.paths(in: folder, endingIn: ["cer", "crt", "der", "pem"], role: "pins")
        } catch {
            throw TLSOptions.Fault(error.message)
        }
    }

    private static func contents(of path: String) throws(TLSOptions.Fault) -> Bytes {
        do throws(TLSError) {
            return Bytes(try FileContents.read(path, role: "pinned certificate"))
        } catch {
            throw TLSOptions.Fault(error.message)
        }
    }
}
