import COpenSSL
import SockeyeCore
import SockeyePlatform

/// Reads certificates and keys in PEM form (RFC 7468).
enum PEMReader {
    /// Reads all certificates of `pem`, at least one. The caller must free them.
    static func certificates(
        _ pem: TLSOptions.PEM, role: String
    ) throws(TLSError) -> [OpaquePointer] {
        let contents = try FileContents.read(pem, role: role)
        return try unsafe withBIO(contents) { bio throws(TLSError) in
            var list: [OpaquePointer] = unsafe []
            while let certificate = unsafe PEM_read_bio_X509(bio, nil, refusePassphrase, nil) {
                unsafe list.append(certificate)
            }
            let errors = OpenSSLErrors.drain()
            // "No start line" is the ordinary end; any other error means that a certificate is unreadable.
            let isEnd = errors.entries.last.map { $0.library == ERR_LIB_PEM && $0.reason == PEM_R_NO_START_LINE }
            guard unsafe !list.isEmpty, isEnd == true else {
                unsafe list.forEach(X509_free)
                let isEmpty = unsafe list.isEmpty && isEnd == true
                let problem = isEmpty ? "contains no certificate" : "is damaged: \(errors.text)"
                throw TLSError(reason: .badConfiguration, message: "the PEM text of the \(role) (\(pem)) \(problem)")
            }
            return unsafe list
        }
    }

    /// Reads the private key of `pem`. The caller must free it.
    static func privateKey(
        _ pem: TLSOptions.PEM, passphrase: String?
    ) throws(TLSError) -> OpaquePointer {
        var contents = try FileContents.read(pem, role: "private key")
        defer { unsafe contents.withUnsafeMutableBytes { unsafe OPENSSL_cleanse($0.baseAddress, $0.count) } }
        let (key, asked) = try unsafe withBIO(contents) { bio throws(TLSError) in
            var request = PassphraseRequest(bytes: passphrase.map { Array($0.utf8) })
            let key = unsafe withUnsafeMutablePointer(to: &request) {
                unsafe PEM_read_bio_PrivateKey(bio, nil, givePassphrase, $0)
            }
            return unsafe (key, request.wasAsked)
        }
        let errors = OpenSSLErrors.drain()
        if let key = unsafe key { return unsafe key }
        let problem =
            switch (asked, passphrase) {
            case (true, nil): "is encrypted, and no passphrase was given"
            case (true, _):
                "cannot be decrypted: the passphrase is wrong, or the cipher is not supported (\(errors.text))"
            default: "contains no usable private key: \(errors.text)"
            }
        throw TLSError(reason: .badConfiguration, message: "the private key \(pem) \(problem)")
    }

    private static var outOfMemory: TLSError {
        TLSError(reason: .outOfResources, message: "out of memory while reading a PEM file")
    }

    private static func withBIO<Result>(
        _ contents: [UInt8], _ body: (OpaquePointer) throws(TLSError) -> Result
    ) throws(TLSError) -> Result {
        sockeye_keep_until_exit()
        OpenSSLErrors.clear()
        // A "secmem" BIO wipes its memory when it is freed: the contents may be a key.
        guard let bio = unsafe BIO_new(BIO_s_secmem()) else {
            throw outOfMemory
        }
        defer { unsafe BIO_free(bio) }
        let written = unsafe BIO_write(bio, contents, Int32(clamping: contents.count))
        guard contents.isEmpty || Int(written) == contents.count else { throw outOfMemory }
        return try unsafe body(bio)
    }
}

private struct PassphraseRequest {
    let bytes: [UInt8]?
    var wasAsked = false
}

/// Refuses to give a passphrase. Without a callback OpenSSL would prompt at the terminal.
func refusePassphrase(
    _: UnsafeMutablePointer<CChar>?, _: Int32, _: Int32, _: UnsafeMutableRawPointer?
) -> Int32 {
    -1
}

private func givePassphrase(
    _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int32, _: Int32, _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let buffer = unsafe buffer, let request = unsafe context?.assumingMemoryBound(to: PassphraseRequest.self)
    else { return -1 }
    unsafe request.pointee.wasAsked = true
    guard let bytes = unsafe request.pointee.bytes, bytes.count <= Int(size) else { return -1 }
    for (index, byte) in bytes.enumerated() { unsafe buffer[index] = CChar(bitPattern: byte) }
    return Int32(bytes.count)
}

/// Reads the files that a configuration names.
enum FileContents {
    /// The largest file in bytes (64 MiB). The limit stops the reading of an endless device file.
    private static let limit = 64 << 20

    static func read(_ pem: TLSOptions.PEM, role: String) throws(TLSError) -> [UInt8] {
        switch pem.source {
        case .bytes(let bytes): return Array(bytes)
        case .file(let path): return try read(path, role: role)
        }
    }

    static func read(_ path: String, role: String) throws(TLSError) -> [UInt8] {
        let contents: [UInt8]?
        do {
            contents = try SystemFile.contents(of: path, limit: limit)
        } catch {
            throw TLSError(
                reason: TLSError.Reason(reading: error),
                message: "the \(role) file \(path) cannot be read: \(error.text)")
        }
        guard let contents else {
            throw TLSError(
                reason: .badConfiguration, message: "the \(role) file \(path) has more than \(limit >> 20) MiB")
        }
        return contents
    }
}

/// Lists the files of a folder that a configuration names.
enum FolderContents {
    /// Returns the paths of the files with one of these name extensions, sorted by name. `endings` must be in lower
    /// case. The extensions of the files may be in any case.
    static func paths(
        in folder: String, endingIn endings: Set<String>, role: String
    ) throws(TLSError) -> [String] {
        try paths(in: folder, role: role) { name in
            guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return false }
            return endings.contains(name[name.index(after: dot)...].lowercased())
        }
    }

    /// Returns the paths of the files with names that satisfy a predicate, sorted by name.
    static func paths(
        in folder: String, role: String, where isWanted: (String) -> Bool
    ) throws(TLSError) -> [String] {
        let names: [String]
        do {
            names = try SystemFile.names(in: folder)
        } catch {
            throw TLSError(
                reason: TLSError.Reason(reading: error),
                message: "the folder of \(role) \(folder) cannot be read: \(error.text)")
        }
        return names.filter(isWanted).sorted().map { "\(folder)/\($0)" }
    }
}

extension TLSError.Reason {
    /// The reason of the error if a file or folder of the configuration cannot be read. A shortage of descriptors or
    /// memory is not a mistake in the configuration.
    fileprivate init(reading error: SystemError) {
        self = error.isOutOfResources ? .outOfResources : .badConfiguration
    }
}
