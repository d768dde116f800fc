public import SockeyeCore

extension TLSConfiguration {
    /// Certificates or a key in PEM form (RFC 7468), in a file or in memory.
    public struct PEM: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
        package enum Source: Sendable, Hashable {
            case file(String)
            case bytes(Bytes)
        }

        package let source: Source

        /// A file at this path, read when a connection needs it and again when it has changed.
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

        /// The description only, so that `dump` shows no key either.
        public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
    }
}
