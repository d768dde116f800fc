public import SockeyeCore
public import SockeyeEngine

extension BodyHandling {
    /// Changes a body before it is decoded.
    ///
    /// ```swift
    /// .json(User.self).preprocessed(.removingPrefix(")]}',\n"))   // what some servers put before JSON against inclusion
    /// ```
    public struct Preprocessor: Sendable {
        package enum Kind: Sendable {
            case prefix(String)
            case custom(@Sendable (Bytes, IncomingResponse) throws -> Bytes)
        }

        package let kind: Kind

        /// Takes `prefix` off; a body without it stays as it is.
        public static func removingPrefix(_ prefix: String) -> BodyHandling.Preprocessor {
            BodyHandling.Preprocessor(kind: .prefix(prefix))
        }

        /// Whatever the closure returns; the body of the response that it gets has been read. An error that it throws ends the
        /// call with ``SockeyeError/Code-swift.struct/decodingFailed``.
        ///
        /// Not archivable: encoding a serializer that has one throws.
        public static func custom(_ change: @escaping @Sendable (Bytes, IncomingResponse) throws -> Bytes)
            -> BodyHandling.Preprocessor
        {
            BodyHandling.Preprocessor(kind: .custom(change))
        }

        func process(_ body: Bytes, of response: IncomingResponse) throws -> Bytes {
            switch kind {
            case .custom(let change): return try change(body, response)
            case .prefix(let prefix):
                return body.starts(with: prefix.utf8) ? body.slice(prefix.utf8.count..<body.count) : body
            }
        }
    }
}
