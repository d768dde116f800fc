public import SockeyeCore

extension TLSOptions {
    /// The certificates that anchor chains of trust.
    ///
    /// An explicitly given certificate is an anchor even if it is not self-signed. So an intermediate or server
    /// certificate can be trusted without its issuer.
    public struct Roots: Sendable, Hashable, CustomStringConvertible {
        package enum Source: Sendable, Hashable {
            case system
            case pem(PEM)
            /// A directory of files named by subject hash, as `openssl rehash` creates it.
            case directory(String)

            package static func == (left: Source, right: Source) -> Bool {
                switch (left, right) {
                case (.system, .system): true
                case (.pem(let one), .pem(let other)): one == other
                case (.directory(let one), .directory(let other)): BytewiseText(one) == BytewiseText(other)
                case (.system, _), (.pem, _), (.directory, _): false
                }
            }
        }

        package let sources: [Source]

        package init(sources: [Source]) {
            self.sources = sources
        }

        /// The system's roots.
        ///
        /// These are in OpenSSL's default file and directory, or in those that the environment variables
        /// `SSL_CERT_FILE` and `SSL_CERT_DIR` name. If neither the file nor the directory is readable, a bundle at one
        /// of the paths that distributions use is read instead. The file or bundle is read once per process. A file of
        /// the directory is read when a chain needs it.
        public static let system = Roots(sources: [.system])

        /// Only the certificates of a PEM file.
        public static func file(_ path: String) -> Roots { Roots(sources: [.pem(.file(path))]) }

        /// Only the certificates of a directory in which `openssl rehash` (or `c_rehash`) has run.
        ///
        /// A file is read when a chain needs it. After a file was changed, added or removed, new connections read the
        /// files again.
        public static func directory(_ path: String) -> Roots { Roots(sources: [.directory(path)]) }

        /// Only these PEM certificates.
        public static func pem(_ bytes: Bytes) -> Roots { Roots(sources: [.pem(.bytes(bytes))]) }

        /// Only these PEM certificates.
        public static func pem(_ text: String) -> Roots { Roots(sources: [.pem(.text(text))]) }

        /// The system's roots and those of `more`. The file or bundle of the system's roots is read once per TLS
        /// configuration, not once per process as with ``system``.
        public static func systemAnd(_ more: Roots) -> Roots {
            Roots(sources: [.system] + more.sources.filter { $0 != .system })
        }

        /// The sources of the roots, as text.
        public var description: String {
            let names = sources.map { source in
                switch source {
                case .system: "system"
                case .pem(let pem): pem.description
                case .directory(let path): path
                }
            }
            return names.joined(separator: " + ")
        }
    }
}

extension TLSOptions {
    /// A certificate and its private key, to present to servers that request one (mutual TLS).
    public struct Identity: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
        package let certificateChain: PEM
        package let privateKey: PEM
        package let passphrase: String?

        /// Creates an identity from a certificate, its intermediates and the key.
        ///
        /// - Parameters:
        ///   - certificateChain: The certificate, followed by its intermediates, without the root.
        ///   - privateKey: The key; may be in the same file as the certificates.
        ///   - passphrase: The passphrase of an encrypted key. The library never prompts for it at a terminal.
        public static func pem(certificateChain: PEM, privateKey: PEM, passphrase: String? = nil) -> Identity {
            Identity(certificateChain: certificateChain, privateKey: privateKey, passphrase: passphrase)
        }

        /// Creates an identity from a certificate file and a key file.
        public static func pem(_ certificateFile: String, _ keyFile: String, passphrase: String? = nil) -> Identity {
            Identity(certificateChain: .file(certificateFile), privateKey: .file(keyFile), passphrase: passphrase)
        }

        /// The source of the certificate; never the key or its passphrase.
        public var description: String { "certificate \(certificateChain)" }

        /// Only the description, so that `dump` shows no secrets.
        public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
    }
}

extension TLSOptions {
    /// Certificates or a key in PEM form (RFC 7468), in a file or in memory.
    public struct PEM: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
        package enum Source: Sendable, Hashable {
            case file(String)
            case bytes(Bytes)

            package static func == (left: Source, right: Source) -> Bool {
                switch (left, right) {
                case (.file(let one), .file(let other)): BytewiseText(one) == BytewiseText(other)
                case (.bytes(let one), .bytes(let other)): one == other
                case (.file, _), (.bytes, _): false
                }
            }
        }

        package let source: Source

        /// PEM text in a file. The file is read when a connection needs its contents. After a change of the file, new
        /// connections read it again.
        public static func file(_ path: String) -> PEM { PEM(source: .file(path)) }

        /// PEM text that is already in memory.
        public static func bytes(_ bytes: Bytes) -> PEM { PEM(source: .bytes(bytes)) }

        /// PEM text that is already in memory.
        public static func text(_ text: String) -> PEM { PEM(source: .bytes(Bytes(text))) }

        /// The path, or the number of bytes; never the contents.
        public var description: String {
            switch source {
            case .file(let path): path
            case .bytes(let bytes): "PEM in memory (\(bytes.count) bytes)"
            }
        }

        /// Only the description, so that `dump` shows no key.
        public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
    }
}
