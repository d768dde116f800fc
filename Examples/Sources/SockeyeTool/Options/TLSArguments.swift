import ArgumentParser
import Sockeye
import SockeyeToolKit

/// The options for TLS: trusted certificates, pins and the client certificate.
struct TLSArguments: ParsableArguments {
    @Flag(
        name: [.customShort("k"), .long],
        help: "Trusts any certificate. For tests only; a pin is looked at all the same.")
    var insecure = false

    @Option(help: "Certificates to trust instead of the system's, in a PEM file.", completion: .file())
    var cacert: String?

    @Option(
        name: [.customShort("E"), .long], help: "A client certificate, in a PEM file; may hold the key, too.",
        completion: .file())
    var cert: String?

    @Option(help: "The key of the client certificate, in a PEM file.", completion: .file())
    var key: String?

    @Option(help: "What the key is encrypted with.")
    var pass: String?

    @Option(
        name: [.long, .customLong("pinnedpubkey")],
        help: "A public key that has to be in the server's chain: sha256// and Base64, or 64 hexadecimal digits.")
    var pin: [String] = []

    func configuration() throws -> TLSOptions {
        var tls = TLSOptions()
        if let cacert { tls.roots = .file(cacert) }
        if insecure { tls.verification = .none }
        if let cert {
            tls.identity = .pem(cert, key ?? cert, passphrase: pass)
        } else if key != nil || pass != nil {
            throw UsageFault("--key and --pass belong to a certificate: --cert FILE")
        }
        if !pin.isEmpty {
            do {
                // As in curl, semicolons separate several pins.
                let pins = pin.flatMap { $0.split(separator: ";").map(String.init) }
                tls.pinning = .publicKey(try pins.map { try TLSOptions.Pinning.PublicKeyPin.spki($0) })
            } catch {
                throw UsageFault("--pin: \(error)")
            }
        }
        return tls
    }
}
