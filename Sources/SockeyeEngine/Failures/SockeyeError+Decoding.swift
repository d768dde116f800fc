extension SockeyeError {
    /// Where in a body decoding failed.
    ///
    /// Made of the body, so it may hold secrets, and is no part of ``SockeyeError/description``; that has the path as far
    /// as it consists of names in the code.
    public struct DecodingDetails: Sendable, Hashable {
        /// The way to the value that could not be decoded, such as `items[3].name`; empty for the whole body. At most
        /// 256 characters.
        public let codingPath: String
        /// What stands there, some 80 bytes on either side; of JSON with line and column. Nil where it cannot be told.
        public let excerpt: String?

        package init(codingPath: String, excerpt: String?) {
            self.codingPath = codingPath
            self.excerpt = excerpt
        }
    }
}

extension SockeyeError.DecodingDetails: CustomStringConvertible, CustomReflectable {
    /// How long the path and the excerpt are, and no more: they are made of the body.
    public var description: String {
        "a path of \(codingPath.utf8.count) bytes, an excerpt of \(excerpt?.utf8.count ?? 0)"
    }

    /// The description alone, so that the dump of an error shows nothing of a body either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
