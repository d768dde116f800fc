extension OutgoingRequest {
    /// How the body of a request is compressed (RFC 9110 8.4).
    ///
    /// Only for servers that are known to undo it: HTTP has no way to ask beforehand, and one that does not answers 415.
    ///
    /// ```swift
    /// try await api.post("events", .json(events), options: .compressing(.gzip))
    /// ```
    public struct Compression: Sendable, Hashable {
        /// The codings.
        public enum Coding: String, Sendable, Hashable {
            /// RFC 1952.
            case gzip
            /// The zlib format of RFC 1950, which is what the name means in HTTP.
            case deflate
        }

        /// How the body is coded, and what Content-Encoding says.
        public var coding: Coding
        /// From 1, the fastest, to 9, the smallest. Default 6.
        public var level: Int
        /// Bodies of a known length below this many bytes stay as they are. Default 0.
        public var minimumLength: Int

        /// Makes a compression; a level beyond 1 and 9 counts as the nearer of the two.
        public init(_ coding: Coding, level: Int = 6, minimumLength: Int = 0) {
            self.coding = coding
            self.level = min(max(level, 1), 9)
            self.minimumLength = minimumLength
        }

        /// gzip, at level 6.
        public static let gzip = OutgoingRequest.Compression(.gzip)
        /// deflate, at level 6.
        public static let deflate = OutgoingRequest.Compression(.deflate)
    }
}
