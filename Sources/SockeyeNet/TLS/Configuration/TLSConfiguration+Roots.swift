public import SockeyeCore

extension TLSConfiguration {
    /// The certificates that end a chain of trust.
    ///
    /// A certificate that is given explicitly is an anchor whether it is self-signed or not, so an intermediate or a
    /// server's own certificate can be trusted alone.
    public struct Roots: Sendable, Hashable, CustomStringConvertible {
        package enum Source: Sendable, Hashable {
            case system
            case pem(PEM)
            /// A directory of files named by subject hash, as `openssl rehash` makes it.
            case directory(String)
        }

        package let sources: [Source]

        package init(sources: [Source]) {
            self.sources = sources
        }

        /// The system's roots: OpenSSL's defaults (which the environment variables `SSL_CERT_FILE` and `SSL_CERT_DIR`
        /// change), or else the bundle at one of the places where distributions keep it. Read once per process.
        public static let system = Roots(sources: [.system])

        /// Only the certificates of a PEM file.
        public static func file(_ path: String) -> Roots { Roots(sources: [.pem(.file(path))]) }

        /// Only the certificates of a directory in which `openssl rehash` (or `c_rehash`) has run.
        public static func directory(_ path: String) -> Roots { Roots(sources: [.directory(path)]) }

        /// Only these PEM certificates.
        public static func pem(_ bytes: Bytes) -> Roots { Roots(sources: [.pem(.bytes(bytes))]) }

        /// Only these PEM certificates.
        public static func pem(_ text: String) -> Roots { Roots(sources: [.pem(.text(text))]) }

        /// The system's roots and also those of `more`.
        public static func systemAnd(_ more: Roots) -> Roots {
            Roots(sources: [.system] + more.sources.filter { $0 != .system })
        }

        /// Where the roots come from.
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
