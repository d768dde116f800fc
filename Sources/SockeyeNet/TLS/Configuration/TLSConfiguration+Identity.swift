extension TLSConfiguration {
    /// A certificate and its private key, to be presented to servers that ask for one (mutual TLS).
    public struct Identity: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
        package let certificateChain: PEM
        package let privateKey: PEM
        package let passphrase: String?

        /// A certificate, its intermediates, and the key.
        ///
        /// - Parameters:
        ///   - certificateChain: the certificate first, then the intermediates up to, and without, the root.
        ///   - privateKey: the key; may be in the same file as the certificates.
        ///   - passphrase: what the key is encrypted with, if it is. Nobody is ever asked for it at a terminal.
        public static func pem(certificateChain: PEM, privateKey: PEM, passphrase: String? = nil) -> Identity {
            Identity(certificateChain: certificateChain, privateKey: privateKey, passphrase: passphrase)
        }

        /// A certificate file and a key file.
        public static func pem(_ certificateFile: String, _ keyFile: String, passphrase: String? = nil) -> Identity {
            Identity(certificateChain: .file(certificateFile), privateKey: .file(keyFile), passphrase: passphrase)
        }

        /// Where the certificate comes from; never the key or its passphrase.
        public var description: String { "certificate \(certificateChain)" }

        /// The description only, so that `dump` shows no secrets either.
        public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
    }
}
