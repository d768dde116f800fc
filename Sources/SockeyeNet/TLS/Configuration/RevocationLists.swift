import COpenSSL
import SockeyeCore

/// The parsed certificate revocation lists of a configuration (RFC 5280 5).
struct RevocationLists: Sendable {
    private let stack: OpenSSLObject
    private let isHard: Bool
    private let flags: Int32
    /// The ends of the lists' validity in seconds since 1970, in ascending order. Empty with a soft policy, which also
    /// accepts servers after these times.
    private let ends: [Int]

    init(_ lists: TLSOptions.Revocation.Lists) throws(TLSError) {
        isHard = lists.policy == .hard
        flags = lists.coversChain ? X509_V_FLAG_CRL_CHECK | X509_V_FLAG_CRL_CHECK_ALL : X509_V_FLAG_CRL_CHECK
        sockeye_keep_until_exit()
        guard let stack = unsafe OPENSSL_sk_new_null() else { throw Self.outOfMemory }
        self.stack = unsafe OpenSSLObject(stack) { unsafe sockeye_free_revocation_lists($0) }
        switch lists.source {
        case .file(let path): try unsafe Self.read(path, into: stack)
        case .folder(let folder):
            let paths = try Self.files(in: folder)
            for path in paths { try unsafe Self.read(path, into: stack) }
        }
        ends = isHard ? unsafe Self.ends(of: stack) : []
    }

    private static func ends(of stack: OpaquePointer) -> [Int] {
        let ends = unsafe (0..<max(0, OPENSSL_sk_num(stack))).compactMap { index -> Int? in
            guard let list = unsafe OPENSSL_sk_value(stack, index) else { return nil }
            return unsafe CertificateView.seconds(X509_CRL_get0_nextUpdate(OpaquePointer(list)))
        }
        return ends.sorted()
    }

    /// Returns the first expiry of a list after `now`, in seconds since 1970. Nil if no list expires later, or with a
    /// soft policy.
    func expiry(after now: Int) -> Int? { ends.first { $0 > now } }

    static func files(in folder: String) throws(TLSError) -> [String] {
        try FolderContents.paths(in: folder, endingIn: ["crl", "pem", "der"], role: "revocation lists")
    }

    private static func read(_ path: String, into stack: OpaquePointer) throws(TLSError) {
        let contents = try FileContents.read(path, role: "revocation list")
        OpenSSLErrors.clear()
        defer { OpenSSLErrors.clear() }
        let isWhole = try unsafe contents.withUnsafeBufferPointer { bytes throws(TLSError) in
            if let isWhole = try unsafe readDER(bytes, into: stack) { return isWhole }
            return try unsafe readPEM(bytes, into: stack)
        }
        guard isWhole else {
            throw TLSError(
                reason: .badConfiguration,
                message: "\(path) is not a valid file of revocation lists in PEM or DER form")
        }
    }

    /// Reads all lists in DER form, one after the other. Nil if the bytes do not begin with such a list; false if other
    /// bytes follow the last list.
    private static func readDER(
        _ bytes: UnsafeBufferPointer<UInt8>, into stack: OpaquePointer
    ) throws(TLSError) -> Bool? {
        var next = bytes.baseAddress
        let end = unsafe next.map { unsafe $0 + bytes.count }
        var isFirst = true
        while let start = unsafe next, let end = unsafe end, unsafe start < end {
            guard let list = unsafe d2i_X509_CRL(nil, &next, end - start) else {
                OpenSSLErrors.clear()
                return isFirst ? nil : false
            }
            try unsafe push(list, to: stack)
            isFirst = false
        }
        return isFirst ? nil : true
    }

    /// Reads all lists in PEM form. False if the bytes contain no list, or a damaged one. The BIO reads the bytes in
    /// place, so they must outlive it.
    private static func readPEM(
        _ bytes: UnsafeBufferPointer<UInt8>, into stack: OpaquePointer
    ) throws(TLSError) -> Bool {
        guard !bytes.isEmpty else { return false }
        guard let bio = unsafe BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count)) else {
            throw outOfMemory
        }
        defer { unsafe BIO_free(bio) }
        var count = 0
        while let list = unsafe PEM_read_bio_X509_CRL(bio, nil, refusePassphrase, nil) {
            try unsafe push(list, to: stack)
            count += 1
        }
        let last = OpenSSLErrors.drain().entries.last
        return count > 0 && last.map { $0.library == ERR_LIB_PEM && $0.reason == PEM_R_NO_START_LINE } ?? false
    }

    /// Adds a list to the stack, which then owns it. Throws if that fails: a lost list would let revoked certificates
    /// pass.
    private static func push(_ list: OpaquePointer, to stack: OpaquePointer) throws(TLSError) {
        guard unsafe OPENSSL_sk_push(stack, UnsafeRawPointer(list)) > 0 else {
            unsafe X509_CRL_free(list)
            throw outOfMemory
        }
    }

    private static var outOfMemory: TLSError {
        TLSError(reason: .outOfResources, message: "out of memory while reading the revocation lists")
    }

    /// Prepares the verification of a chain, so that the server's certificate is checked against the lists. With
    /// `coversChain`, its issuers are checked, too.
    func prepare(_ store: OpaquePointer) {
        unsafe stack.withPointer { unsafe X509_STORE_CTX_set0_crls(store, $0) }
        unsafe X509_STORE_CTX_set_flags(store, UInt(flags))
        guard !isHard else { return }
        unsafe X509_STORE_CTX_set_verify_cb(store) { isGood, store in
            let code = unsafe X509_STORE_CTX_get_error(store)
            return isGood == 1 || TLSError.unknownRevocation.contains(code) ? 1 : 0
        }
    }

    /// Converts the result of a verification against the lists to a revocation status.
    func status(isGood: Bool, code: Int32) -> TLSTrust.RevocationStatus {
        if code == X509_V_ERR_CERT_REVOKED { return .revoked }
        if TLSError.unknownRevocation.contains(code) {
            return .notChecked(unsafe String(cString: X509_verify_cert_error_string(Int(code))))
        }
        return isGood ? .good : .notChecked("the chain could not be verified")
    }
}
