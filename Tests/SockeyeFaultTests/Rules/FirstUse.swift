import Glibc
import Sockeye
import SockeyeCore
import SockeyeHTTP
import SockeyeNet
import SockeyeTestSupport
import SockeyeTesting

/// The first use of OpenSSL by a process.
enum FirstUse: String, CaseIterable, Codable {
    case testAuthority, testCertificate, context, roots, revocation, pin, pinInDER, checksum, digest

    /// Uses OpenSSL and ends the process. The process fails if OpenSSL frees its state at its end.
    func run(_ pem: String, der: [UInt8], revocationList path: String) throws -> Never {
        switch self {
        case .testAuthority: _ = try TestCertificateAuthority()
        case .testCertificate: _ = try TestKey(.p256).pem(passphrase: "secret")
        case .context: _ = try TLSContext(TLSOptions())
        case .roots: _ = try TLSContext(TLSOptions(roots: .pem(pem)))
        case .revocation: _ = try TLSContext(TLSOptions(roots: .pem(pem), revocation: .crl(file: path)))
        case .pin: _ = try TLSOptions.Pinning.CertificatePin.certificate(pem: pem)
        case .pinInDER: _ = try TLSOptions.Pinning.PublicKeyPin.certificate(Bytes(der))
        case .checksum: IncrementalHash(.sha256)?.update(Bytes(der))
        case .digest: _ = DigestHash.sha256.hexadecimal(of: "a")
        }
        try Self.failAtCleanup()
        exit(EXIT_SUCCESS)
    }

    /// Lets the process fail if OpenSSL frees its state. `OPENSSL_cleanup` calls the function.
    private static func failAtCleanup() throws {
        typealias AtExit = @convention(c) (@convention(c) () -> Void) -> Int32
        guard let symbol = unsafe dlsym(nil, "OPENSSL_atexit") else { throw UnmetCondition("OPENSSL_atexit") }
        let atExit = unsafe unsafeBitCast(symbol, to: AtExit.self)
        try demand(atExit { _exit(3) } == 1, "a function is called at cleanup")
    }
}
