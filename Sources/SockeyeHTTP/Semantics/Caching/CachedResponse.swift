import HTTPTypes
public import SockeyeCore

/// A response in a cache: its head, what its freshness is reckoned from, and which requests it may answer (RFC 9111 2).
///
/// A `CachePolicy.Store` keeps it as it is, with the content beside it. It is `Codable` so that a store on disk or on another
/// machine can write it down; what cannot be read back is a miss. It holds no credentials: ``partition`` is a digest.
public struct CachedResponse: Sendable, Hashable, Codable, Identifiable {
    /// Tells it from every other one, whatever it was asked for.
    public let id: String
    /// The status code.
    public var status: Int
    /// The reason phrase.
    public var reason: String
    /// The fields, without those that belong to a connection (RFC 9111 3.1) and without Age.
    public var headers: Headers
    /// When its request was sent, in seconds since 1970-01-01T00:00:00Z.
    public var requestTime: Int64
    /// When its head was here, likewise.
    public var responseTime: Int64
    /// The seconds that other caches had it for: the Age field.
    public var age: Int64
    /// The number of bytes of the content; known once all of it is there.
    public var bodyLength: Int
    /// The requests that it may answer, besides by their URL: an SHA-256 digest, in hexadecimal, of Authorization, Cookie and
    /// other fields that carry credentials, Accept-Encoding, Host, and the partition of the policy. If the response has the
    /// directive `private`, the digest includes every field of the request that is not known to be the same for all users.
    /// Empty if the request had none of them.
    public internal(set) var partition: String
    /// The request's fields that Vary names, by their names in lower case (RFC 9111 4.1). Those in ``partition`` are left out.
    public var selectingFields: [String: String]
    /// Whether its request let the client undo content codings.
    public let wasDecodable: Bool
    /// Whether there was one and it was undone. The content is then not what the server sent, and has no ranges.
    public let isDecoded: Bool

    /// The content of a stored response.
    @nonexhaustive public enum Body: Sendable {
        /// All of it in memory, in order.
        case pieces([Bytes])
        /// Bytes of a range of it, made when they are asked for. A sequence that ends early fails the response with
        /// `connectionClosed`, and one that throws with what it threw.
        case stream(@Sendable (Range<Int>) -> any AsyncSequence<Bytes, any Error> & Sendable)
    }
}

extension CachedResponse {
    /// A response that was just received, as it is stored.
    package init(
        id: String, status: Int, reason: String, headers: Headers, isDecoded: Bool, to inquiry: CacheInquiry,
        requestTime: Int64, responseTime: Int64
    ) {
        self.id = id
        self.status = status
        self.reason = reason
        self.headers = Headers()
        self.requestTime = requestTime
        self.responseTime = responseTime
        age = 0
        bodyLength = 0
        partition = ""
        selectingFields = [:]
        wasDecodable = inquiry.decodes
        self.isDecoded = isDecoded
        let excluded = Self.excludedNames(headers)
        self.headers = headers.filtered { !excluded.contains($0.lowercased) }
        adopt(headers, from: inquiry)
    }

    /// Takes over what goes with new fields.
    private mutating func adopt(_ headers: Headers, from inquiry: CacheInquiry) {
        age = Self.age(headers[values: .age])
        // RFC 9110 6.6.1: a cache notes when a message without a date came.
        if self.headers[.date] == nil { self.headers[.date] = HTTPDate(secondsSinceEpoch: responseTime).fieldValue }
        selectingFields = inquiry.selectingFields(for: varyNames ?? [])
        assign(to: inquiry)
    }

    /// Sets the partition to that of a request, by the directives that the response has now.
    package mutating func assign(to inquiry: CacheInquiry) {
        partition = inquiry.partition(isPrivate: directives.has(.isPrivate))
    }

    /// Merges the fields of a newer response to a request for the same (RFC 9111 3.2): a 304, or the answer to HEAD.
    ///
    /// Content-Length stays, and so do Content-Encoding and Content-Range, which describe the content as it was stored.
    package func updated(
        with newer: Headers, to inquiry: CacheInquiry, requestTime: Int64, responseTime: Int64
    ) -> CachedResponse {
        var result = self
        let excluded = Self.excludedNames(newer).union(["content-length", "content-encoding", "content-range"])
        let provided = newer.filtered { !excluded.contains($0.lowercased) }
        result.headers = headers.filtered { !provided.contains($0) && $0 != .date }
        result.headers.append(contentsOf: provided)
        result.requestTime = requestTime
        result.responseTime = responseTime
        result.adopt(newer, from: inquiry)
        return result
    }

    /// Names in lower case of the fields that are not stored (RFC 9111 3.1): those of the connection and of proxies, and Age,
    /// which is kept as a number.
    private static func excludedNames(_ headers: Headers) -> Set<String> {
        var names: Set<String> = [
            "connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
            "proxy-authenticate", "proxy-authentication-info", "proxy-authorization", "age",
        ]
        for value in headers[values: .connection] {
            var scan = FieldScanner(value.utf8Span.span)
            while let member = scan.member() { names.insert(scan.lowercased(member)) }
        }
        return names
    }

    /// The Age field (RFC 9111 5.1): the first value; one that is no number is ignored.
    private static func age(_ values: [String]) -> Int64 {
        guard let value = values.first else { return 0 }
        var scan = FieldScanner(value.utf8Span.span)
        guard let member = scan.member() else { return 0 }
        guard scan.allSatisfy(member, ByteClass.isDigit) else { return 0 }
        return min(scan.number(member).map(Int64.init) ?? CacheDirectives.forever, CacheDirectives.forever)
    }

    package var directives: CacheDirectives { CacheDirectives(headers[values: .cacheControl]) }

    /// So many fields of a Vary are compared.
    private static let varyLimit = 64

    /// The names in lower case that Vary has. Nil if no request matches: for `*` (RFC 9111 4.1), for a member that is no field
    /// name, since the fields that the server meant are unknown, and for more than 64 names.
    package var varyNames: [String]? {
        var names: [String] = []
        for value in headers[values: .vary] {
            var scan = FieldScanner(value.utf8Span.span)
            while let member = scan.member() {
                let name = scan.lowercased(member)
                if name == "*" || !scan.allSatisfy(member, ByteClass.isToken) { return nil }
                if names.contains(name) { continue }
                guard names.count < Self.varyLimit else { return nil }
                names.append(name)
            }
        }
        return names
    }

    /// Whether the content is in a coding, or was.
    var isCoded: Bool { isDecoded || headers[values: .contentEncoding].contains { $0.lowercased() != "identity" } }

    /// Whether it takes the place of another one: it answers the same requests.
    public func replaces(_ other: CachedResponse) -> Bool {
        partition == other.partition && wasDecodable == other.wasDecodable && selectingFields == other.selectingFields
            && varyNames == other.varyNames
    }

    /// Whether it can be what was stored. A store is not trusted further than it has to be.
    package var isPlausible: Bool {
        (200...599).contains(status) && status != 206 && status != 304 && bodyLength >= 0 && age >= 0
            // Decoding checks names alone, and validators go into a request.
            && headers.isValid
    }
}
