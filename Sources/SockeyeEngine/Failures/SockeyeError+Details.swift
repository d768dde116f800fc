public import HTTPTypes
public import SockeyeCore
public import SockeyeHTTP

extension SockeyeError {
    /// The head and the first bytes of a response that the library refused, for example for its status or its size.
    ///
    /// No description contains the fields or the body, because they may contain secrets.
    public struct Evidence: Sendable {
        /// The status of the response.
        public let status: HTTPResponse.Status
        /// The fields of the response.
        public let headers: Headers
        /// The first bytes of the body: at most 64 KiB, and only bytes that were received before the refusal.
        public let body: Bytes

        /// The body as text, in the charset of its Content-Type; UTF-8 if that names no charset or an unknown one.
        /// Malformed bytes, and a character cut by the limit, become U+FFFD.
        public var text: String {
            let type = headers[.contentType].flatMap { InternetMediaType($0) }
            let decoder = type?.charset.flatMap { TextDecoder(label: $0) } ?? TextDecoder(.utf8)
            return decoder.decode(body)
        }

        /// The largest number of body bytes that an error keeps.
        package static let bodyLimit = 64 << 10

        package init(status: HTTPResponse.Status, headers: Headers, body: Bytes) {
            self.status = status
            self.headers = headers
            self.body = body
        }

        /// - Parameter body: The start of the body; bytes beyond the limit are dropped.
        package init(status: HTTPResponse.Status, headers: Headers, startOf body: Bytes) {
            // A slice would keep a large body in memory as long as the error lives.
            let kept = body.count > Self.bodyLimit ? body.slice(0..<Self.bodyLimit).compacted() : body
            self.init(status: status, headers: headers, body: kept)
        }
    }
}

extension SockeyeError.Evidence: CustomStringConvertible, CustomReflectable {
    /// For example `302 with 3 fields and 120 bytes`.
    public var description: String { "\(status.code) with \(headers.count) fields and \(body.count) bytes" }

    /// The description alone, so that the dump of an error shows no field values either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension SockeyeError {
    /// The place in a body where decoding failed.
    ///
    /// The path and the excerpt come from the body and may contain secrets. So ``SockeyeError/description`` never
    /// contains the excerpt. It may contain the path, but with `*` in place of each key that no `CodingKeys` enum
    /// declares, such as a key of a dictionary.
    public struct DecodingDetails: Sendable, Hashable {
        /// The path of the value that could not be decoded, such as `items[3].name`; empty for the whole body. At most
        /// 256 characters.
        public let codingPath: String
        /// The text around the place of the failure, about 80 bytes on either side; for JSON with line and column. Nil
        /// if the place is unknown.
        public let excerpt: String?

        package init(codingPath: String, excerpt: String?) {
            self.codingPath = codingPath
            self.excerpt = excerpt
        }
    }
}

extension SockeyeError.DecodingDetails: CustomStringConvertible, CustomReflectable {
    /// The lengths of the path and of the excerpt, without their text.
    public var description: String {
        "a path of \(codingPath.utf8.count) bytes, an excerpt of \(excerpt?.utf8.count ?? 0)"
    }

    /// The description alone, so that the dump of an error shows nothing of a body either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
