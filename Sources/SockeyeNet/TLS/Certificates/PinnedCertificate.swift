import COpenSSL
import Glibc
import SockeyeCore

/// Reads the certificates that callers give as pins.
enum PinnedCertificate {
    static let notDER = TLSConfigurationError("a pinned certificate is not X.509 in DER form")

    /// Calls `body` with the certificate that `der` is; nil when it is none, or more than one.
    static func read<Result>(_ der: Bytes, _ body: (CertificateView) -> Result) -> Result? {
        defer { OpenSSLErrors.clear() }
        return unsafe der.withUnsafeBytes { buffer in
            let start = unsafe buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
            var next = unsafe start
            guard let certificate = unsafe d2i_X509(nil, &next, buffer.count) else { return nil }
            defer { unsafe X509_free(certificate) }
            guard let start = unsafe start, unsafe next == start + buffer.count else { return nil }
            return body(unsafe CertificateView(pointer: certificate))
        }
    }

    static func single(_ pem: String) throws(TLSConfigurationError) -> Bytes {
        let found = try all(.text(pem))
        guard found.count == 1 else {
            throw TLSConfigurationError("PEM text with \(found.count) certificates is given for one pin")
        }
        return found[0]
    }

    private static func all(_ pem: TLSConfiguration.PEM) throws(TLSConfigurationError) -> [Bytes] {
        do throws(TLSFailure) {
            let certificates = try unsafe PEMReader.certificates(pem, role: "pinned certificate")
            defer { unsafe certificates.forEach(X509_free) }
            return unsafe certificates.map { unsafe CertificateView(pointer: $0).der }
        } catch {
            throw TLSConfigurationError(error.message)
        }
    }

    static func all(in folder: String) throws(TLSConfigurationError) -> [Bytes] {
        var found: [Bytes] = []
        for path in try files(in: folder) {
            let contents = try self.contents(of: path)
            if read(contents, { _ in true }) == true {
                found.append(contents)
            } else {
                found += try all(.file(path))
            }
        }
        guard !found.isEmpty else { throw TLSConfigurationError("the folder \(folder) holds no certificate to pin") }
        return found
    }

    private static func files(in folder: String) throws(TLSConfigurationError) -> [String] {
        do throws(TLSFailure) {
            return try FolderContents.paths(in: folder, endingIn: ["cer", "crt", "der", "pem"], role: "pins")
        } catch {
            throw TLSConfigurationError(error.message)
        }
    }

    private static func contents(of path: String) throws(TLSConfigurationError) -> Bytes {
        do throws(TLSFailure) {
            return Bytes(try FileContents.read(path, role: "pinned certificate"))
        } catch {
            throw TLSConfigurationError(error.message)
        }
    }
}
