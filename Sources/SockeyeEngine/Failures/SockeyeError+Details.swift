public import HTTPTypes
public import SockeyeCore
public import SockeyeHTTP

extension SockeyeError {
    /// What is kept of a response that was refused, for whoever handles the error.
    ///
    /// Not part of any description: a body may hold secrets.
    public struct Evidence: Sendable {
        /// The status of the response.
        public let status: HTTPResponse.Status
        /// Its fields.
        public let headers: Headers
        /// Its body, cut to the first 64 KiB.
        public let body: Bytes

        /// The body as text: in the charset of its Content-Type, UTF-8 where that names none or one that is not known. What is
        /// malformed, or cut by the limit, comes out as U+FFFD.
        public var text: String {
            let type = headers[.contentType].flatMap { InternetMediaType($0) }
            let decoder = type?.charset.flatMap { TextDecoder(label: $0) } ?? TextDecoder(.utf8)
            return decoder.decode(body) ?? String(decoding: body, as: UTF8.self)
        }

        /// How much of a body is kept.
        package static let bodyLimit = 64 << 10

        package init(status: HTTPResponse.Status, headers: Headers, body: Bytes) {
            self.status = status
            self.headers = headers
            self.body = body
        }

        /// - Parameter body: The start of the body, of which no more is kept than the limit.
        package init(status: HTTPResponse.Status, headers: Headers, startOf body: Bytes) {
            // A slice would keep all of a large body for as long as the error lives.
            let kept = body.count > Self.bodyLimit ? body.slice(0..<Self.bodyLimit).compacted() : body
            self.init(status: status, headers: headers, body: kept)
        }
    }
}

extension SockeyeError.Evidence: CustomStringConvertible, CustomReflectable {
    /// For example `302 with 3 fields and 120 bytes`.
    public var description: String { "\(status.code) with \(headers.count) fields and \(body.count) bytes" }

    /// The description alone, so that the dump of an error shows no values of fields either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

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
