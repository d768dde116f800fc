import COpenSSL
import CSockeyeSystem
import Glibc

/// Builds the store of trusted certificates.
enum RootStore {
    /// Parsed once per process, whatever the number of contexts: it is some hundred certificates.
    private static let system: OpenSSLObject? = {
        guard let store = X509_STORE_new() else { return nil }
        addSystemRoots(to: store)
        return OpenSSLObject(store, release: X509_STORE_free)
    }()

    static func make(_ roots: TLSConfiguration.Roots) throws(TLSFailure) -> OpenSSLObject {
        if roots == .system, let system { return system }
        guard let pointer = X509_STORE_new() else { throw TLSFailure(reason: .other, message: "out of memory") }
        let store = OpenSSLObject(pointer, release: X509_STORE_free)
        // Whoever names a certificate explicitly trusts that certificate, not only the root above it.
        X509_STORE_set_flags(pointer, UInt(X509_V_FLAG_PARTIAL_CHAIN))
        for source in roots.sources { try add(source, to: pointer) }
        return store
    }

    private static func add(_ source: TLSConfiguration.Roots.Source, to store: OpaquePointer) throws(TLSFailure) {
        switch source {
        case .system:
            addSystemRoots(to: store)
        case .pem(let pem):
            let certificates = try PEMReader.certificates(pem, role: "roots")
            for certificate in certificates {
                X509_STORE_add_cert(store, certificate)
                X509_free(certificate)
            }
            OpenSSLErrors.clear()
        case .directory(let path):
            var status = stat()
            guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, access(path, R_OK | X_OK) == 0,
                X509_STORE_load_path(store, path) == 1
            else {
                OpenSSLErrors.clear()
                throw TLSFailure(
                    reason: .badConfiguration, message: "the roots directory \(path) is not a readable directory")
            }
        }
    }

    /// OpenSSL's default places, and where neither exists the bundles of the common distributions.
    private static func addSystemRoots(to store: OpaquePointer) {
        OpenSSLErrors.clear()
        X509_STORE_set_default_paths(store)
        OpenSSLErrors.clear()
        let file = place(X509_get_default_cert_file_env(), X509_get_default_cert_file())
        let directory = place(X509_get_default_cert_dir_env(), X509_get_default_cert_dir())
        guard access(file, R_OK) != 0, access(directory, R_OK) != 0 else { return }
        for bundle in bundles where access(bundle, R_OK) == 0 {
            if X509_STORE_load_file(store, bundle) == 1 { return }
            OpenSSLErrors.clear()
        }
    }

    private static func place(_ variable: UnsafePointer<CChar>?, _ standard: UnsafePointer<CChar>?) -> String {
        if let variable, let value = getenv(variable) { return String(cString: value) }
        return standard.map { String(cString: $0) } ?? ""
    }

    private static let bundles = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
        "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "/etc/ssl/cert.pem",
    ]
}
