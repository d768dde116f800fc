import COpenSSL
import SockeyePlatform
import Synchronization

/// Creates the store of trusted roots (X509_STORE) for a TLS context.
enum RootStore {
    /// The system's roots, more than a hundred certificates; parsed once per process.
    private static let system = Mutex<OpenSSLObject?>(nil)

    static func make(_ roots: TLSOptions.Roots) throws(TLSError) -> OpenSSLObject {
        sockeye_keep_until_exit()
        guard roots == .system else { return try makeNew(roots) }
        return try system.withLock { system throws(TLSError) in
            if let system { return system }
            guard let pointer = unsafe X509_STORE_new() else { throw outOfMemory }
            let store = unsafe OpenSSLObject(pointer, release: X509_STORE_free)
            try unsafe addSystemRoots(to: pointer)
            system = store
            return store
        }
    }

    /// Returns the paths of the files that OpenSSL may open in a roots directory. Their names consist of a subject's
    /// hash (8 hex digits), a dot and a number; for a revocation list an `r` precedes the number.
    static func files(in directory: String) throws(TLSError) -> [String] {
        try FolderContents.paths(in: directory, role: "roots") { name in
            let parts = name.split(separator: ".", omittingEmptySubsequences: false)
            return parts.count == 2 && parts[0].utf8.count == 8 && parts[0].allSatisfy(\.isHexDigit)
        }
    }

    private static var outOfMemory: TLSError { TLSError(reason: .outOfResources, message: "out of memory") }

    private static func makeNew(_ roots: TLSOptions.Roots) throws(TLSError) -> OpenSSLObject {
        guard let pointer = unsafe X509_STORE_new() else { throw outOfMemory }
        let store = unsafe OpenSSLObject(pointer, release: X509_STORE_free)
        // A chain may end at any certificate of this store, not only at a self-signed one. So an intermediate or server
        // certificate that the caller adds is trusted without its root.
        unsafe X509_STORE_set_flags(pointer, UInt(X509_V_FLAG_PARTIAL_CHAIN))
        for source in roots.sources { try unsafe add(source, to: pointer) }
        return store
    }

    private static func add(_ source: TLSOptions.Roots.Source, to store: OpaquePointer) throws(TLSError) {
        switch source {
        case .system:
            try unsafe addSystemRoots(to: store)
        case .pem(let pem):
            let certificates = try unsafe PEMReader.certificates(pem, role: "roots")
            defer { unsafe certificates.forEach(X509_free) }
            for index in unsafe certificates.indices {
                // Adding a certificate that the store already contains succeeds.
                guard unsafe X509_STORE_add_cert(store, certificates[index]) == 1 else { throw outOfMemory }
            }
            OpenSSLErrors.clear()
        case .directory(let path):
            guard SystemFile.isUsableFolder(path), unsafe X509_STORE_load_path(store, path) == 1 else {
                OpenSSLErrors.clear()
                throw TLSError(
                    reason: .badConfiguration, message: "the roots directory \(path) does not exist or cannot be read")
            }
        }
    }

    /// Adds the roots of OpenSSL's default locations or, if none of these is readable, one of the system's bundles.
    private static func addSystemRoots(to store: OpaquePointer) throws(TLSError) {
        try checkDescriptors()
        unsafe loadSystemRoots(into: store)
        // OpenSSL treats a file that cannot be opened as missing. If descriptors have run out meanwhile, the store may
        // be empty, and no server would be trusted.
        try checkDescriptors()
    }

    private static func checkDescriptors() throws(TLSError) {
        guard let shortage = SystemError.descriptorShortage else { return }
        throw TLSError(
            reason: .outOfResources, message: "the system's roots cannot be opened: \(shortage.text)")
    }

    private static func loadSystemRoots(into store: OpaquePointer) {
        OpenSSLErrors.clear()
        unsafe X509_STORE_set_default_paths(store)
        OpenSSLErrors.clear()
        let file = unsafe place(X509_get_default_cert_file_env(), X509_get_default_cert_file())
        // Folders are separated by colons, as in OpenSSL. If the file or a folder is readable, no bundle is loaded: a
        // bundle could contain roots that were deliberately removed from the file or folder.
        let folders = unsafe place(X509_get_default_cert_dir_env(), X509_get_default_cert_dir()).split(separator: ":")
        let places = [file] + folders.map { String($0) }
        guard !places.contains(where: { SystemFile.isReadable($0) }) else { return }
        for bundle in SystemProcess.rootBundles where SystemFile.isReadable(bundle) {
            if unsafe X509_STORE_load_file(store, bundle) == 1 { return }
            OpenSSLErrors.clear()
        }
    }

    private static func place(_ variable: UnsafePointer<CChar>?, _ standard: UnsafePointer<CChar>?) -> String {
        if let variable = unsafe variable, let value = unsafe SystemProcess.environment(String(cString: variable)) {
            return value
        }
        return unsafe standard.map { unsafe String(cString: $0) } ?? ""
    }
}
