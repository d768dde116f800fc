import COpenSSL

/// Reads certificates and keys out of PEM text.
enum PEMReader {
    /// Every certificate in `pem`, which the caller must free; at least one.
    static func certificates(
        _ pem: TLSConfiguration.PEM, role: String
    ) throws(TLSFailure) -> [OpaquePointer] {
        let contents = try FileContents.read(pem, role: role)
        return try withBIO(contents) { bio throws(TLSFailure) in
            var list: [OpaquePointer] = []
            while let certificate = PEM_read_bio_X509(bio, nil, refusePassphrase, nil) { list.append(certificate) }
            let errors = OpenSSLErrors.drain()
            // "No start line" is the ordinary end; anything else is a certificate that cannot be read.
            let isEnd = errors.entries.last.map { $0.library == ERR_LIB_PEM && $0.reason == PEM_R_NO_START_LINE }
            guard !list.isEmpty, isEnd == true else {
                list.forEach(X509_free)
                let problem = list.isEmpty && isEnd == true ? "holds no certificate" : "is damaged: \(errors.text)"
                throw TLSFailure(reason: .badConfiguration, message: "the \(role) \(pem) \(problem)")
            }
            return list
        }
    }

    /// The private key in `pem`, which the caller must free.
    static func privateKey(
        _ pem: TLSConfiguration.PEM, passphrase: String?
    ) throws(TLSFailure) -> OpaquePointer {
        var contents = try FileContents.read(pem, role: "private key")
        defer { contents.withUnsafeMutableBytes { OPENSSL_cleanse($0.baseAddress, $0.count) } }
        let (key, asked) = try withBIO(contents) { bio throws(TLSFailure) in
            var request = PassphraseRequest(bytes: passphrase.map { Array($0.utf8) })
            let key = withUnsafeMutablePointer(to: &request) {
                PEM_read_bio_PrivateKey(bio, nil, givePassphrase, $0)
            }
            return (key, request.wasAsked)
        }
        let errors = OpenSSLErrors.drain()
        if let key { return key }
        let problem =
            switch (asked, passphrase) {
            case (true, nil): "is encrypted and no passphrase is given"
            case (true, _): "cannot be decrypted: the passphrase is wrong"
            default: "holds no usable private key: \(errors.text)"
            }
        throw TLSFailure(reason: .badConfiguration, message: "the private key \(pem) \(problem)")
    }

    private static func withBIO<Result>(
        _ contents: [UInt8], _ body: (OpaquePointer) throws(TLSFailure) -> Result
    ) throws(TLSFailure) -> Result {
        OpenSSLErrors.clear()
        // "secmem" is wiped when it is freed: the contents may be a key.
        guard let bio = BIO_new(BIO_s_secmem()) else { throw TLSFailure(reason: .other, message: "out of memory") }
        defer { BIO_free(bio) }
        BIO_write(bio, contents, Int32(clamping: contents.count))
        return try body(bio)
    }
}

private struct PassphraseRequest {
    let bytes: [UInt8]?
    var wasAsked = false
}

/// Without a callback OpenSSL would ask at the terminal.
private func refusePassphrase(
    _: UnsafeMutablePointer<CChar>?, _: Int32, _: Int32, _: UnsafeMutableRawPointer?
) -> Int32 {
    -1
}

private func givePassphrase(
    _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int32, _: Int32, _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let buffer, let request = context?.assumingMemoryBound(to: PassphraseRequest.self) else { return -1 }
    request.pointee.wasAsked = true
    guard let bytes = request.pointee.bytes, bytes.count <= Int(size) else { return -1 }
    for (index, byte) in bytes.enumerated() { buffer[index] = CChar(bitPattern: byte) }
    return Int32(bytes.count)
}
