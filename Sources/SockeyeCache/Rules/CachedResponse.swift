import HTTPTypes
public import SockeyeCore
import SockeyeHTTP

/// A cached response: its head, and the data that decide how long it is fresh and which requests it may answer
/// (RFC 9111 2).
///
/// A ``CachePolicy/Store`` must keep it unchanged, together with the content. It is `Codable` for stores on disk or on
/// other machines. It holds no credentials of the request, only a digest that covers them (``partition``). It holds the
/// Set-Cookie fields of the response (RFC 9111 3.1), although the cache never serves them.
public struct CachedResponse: Sendable, Hashable, Codable, Identifiable {
    /// A unique identifier of this response, different even for responses to equal requests.
    public let id: String
    /// The status code.
    public var status: Int
    /// The reason phrase.
    public var reason: String
    /// The fields, without those that belong to a connection (RFC 9111 3.1) and without Age.
    public var headers: Headers
    /// The time when the request was sent, in seconds since 1970-01-01T00:00:00Z.
    public var requestTime: Int64
    /// The time when the head was received, in seconds since 1970-01-01T00:00:00Z.
    public var responseTime: Int64
    /// The seconds that the response spent in other caches: the Age field.
    public var age: Int64
    /// The number of bytes of the content; 0 until the content is complete.
    public var bodyLength: Int
    /// An SHA-256 digest in hexadecimal that keeps responses to different credentials apart: the response may answer
    /// only requests with the same digest.
    ///
    /// The digest covers Authorization, Cookie and other fields with credentials, Accept-Encoding, Host, the user
    /// information of the URL, and ``CachePolicy/partition``. It also covers the unix-domain socket, the
    /// ``/Sockeye/ResponseTolerances``, and whether the request was sent without the client certificate. If the
    /// response has the directive `private`, the digest covers all request fields, except those that are known not to
    /// identify a user. Empty if the request has nothing that the digest covers.
    public internal(set) var partition: String
    /// The request's fields that Vary names, by their names in lower case (RFC 9111 4.1). Fields that ``partition``
    /// always covers are omitted.
    public var selectingFields: [String: String]
    /// True if the client was allowed to decode content codings.
    public let wasDecodable: Bool
    /// True if the client decoded a content coding. The content then differs from the bytes that the server sent, so
    /// the cache serves no ranges of it.
    public let isDecoded: Bool

    /// The content of a stored response.
    @nonexhaustive public enum Body: Sendable {
        /// The whole content in memory, in order.
        case pieces([Bytes])
        /// The content as a function that takes a byte range and returns a sequence of the bytes in that range. If the
        /// sequence ends early or has too many bytes, the response fails with `connectionClosed`. If the sequence
        /// throws a `SockeyeError`, the response fails with that error. If the sequence throws another error, the
        /// response fails with a `SockeyeError` that has it as ``/Sockeye/SockeyeError/underlying``. The code is
        /// `cancelled` for a `CancellationError`, and `connectionClosed` for all other errors.
        case stream(@Sendable (Range<Int>) -> any AsyncSequence<Bytes, any Error> & Sendable)
    }
}

extension CachedResponse {
    package init(
        id: String, status: Int, reason: String, headers: Headers, isDecoded: Bool, to cacheRequest: CacheRequest,
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
        wasDecodable = cacheRequest.decodes
        self.isDecoded = isDecoded
        let excluded = Self.excludedNames(headers)
        self.headers = headers.filtered { !excluded.contains($0.lowercased) }
        adopt(headers, from: cacheRequest)
    }

    /// Sets the properties that depend on the fields of a response.
    private mutating func adopt(_ headers: Headers, from cacheRequest: CacheRequest) {
        age = Self.age(headers[values: .age])
        // RFC 9110 6.6.1: a cache records the time of receipt of a message without a date.
        if self.headers[.date] == nil { self.headers[.date] = HTTPDate(secondsSinceEpoch: responseTime).fieldValue }
        assign(to: cacheRequest)
    }

    /// Sets the partition and the selecting fields to those of a request, according to the directives and Vary of the
    /// response.
    package mutating func assign(to cacheRequest: CacheRequest) {
        selectingFields = cacheRequest.selectingFields(for: varyNames ?? [])
        partition = cacheRequest.partition(isPrivate: directives.has(.isPrivate))
    }

    /// Merges the fields of a newer response for the same request (RFC 9111 3.2): a 304, or the answer to HEAD.
    ///
    /// Content-Length, Content-Encoding and Content-Range are kept, because they describe the stored content.
    package func updated(
        with newer: Headers, to cacheRequest: CacheRequest, requestTime: Int64, responseTime: Int64
    ) -> CachedResponse {
        var result = self
        let excluded = Self.excludedNames(newer).union(["content-length", "content-encoding", "content-range"])
        let provided = newer.filtered { !excluded.contains($0.lowercased) }
        result.headers = headers.filtered { !provided.contains($0) && $0 != .date }
        result.headers.append(contentsOf: provided)
        result.requestTime = requestTime
        result.responseTime = responseTime
        result.adopt(newer, from: cacheRequest)
        return result
    }

    /// Returns the names, in lower case, of fields that are not stored (RFC 9111 3.1): those of the connection and of
    /// proxies, and Age, which is stored as a number.
    private static func excludedNames(_ headers: Headers) -> Set<String> {
        var names: Set<String> = [
            "connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
            "proxy-authenticate", "proxy-authentication-info", "proxy-authorization", "age",
        ]
        for value in headers[values: .connection] {
            var scan = FieldScanner(value.utf8Span.span)
            while let member = scan.member() {
                // A member that is not a token cannot be the name of a field. If it is long, hashing it could take
                // seconds, because hashing a `String` normalizes text that is not ASCII.
                if scan.allSatisfy(member, ByteClass.isToken) { names.insert(scan.lowercased(member)) }
            }
        }
        return names
    }

    /// Parses the Age field (RFC 9111 5.1): the first value; 0 if it is not a number.
    private static func age(_ values: [String]) -> Int64 {
        guard let value = values.first else { return 0 }
        var scan = FieldScanner(value.utf8Span.span)
        guard let member = scan.member() else { return 0 }
        guard scan.allSatisfy(member, ByteClass.isDigit) else { return 0 }
        return min(
            scan.number(member).map(Int64.init) ?? CacheDirectives.maximumSeconds, CacheDirectives.maximumSeconds)
    }

    package var directives: CacheDirectives { CacheDirectives(headers[values: .cacheControl]) }

    private static let varyLimit = 64

    /// The names in Vary, in lower case. Nil if no request can match: for `*` (RFC 9111 4.1), for more than 64 names,
    /// and for a malformed name, which leaves the intended fields unknown.
    package var varyNames: [String]? {
        var names: [String] = []
        for value in headers[values: .vary] {
            var scan = FieldScanner(value.utf8Span.span)
            while let member = scan.member() {
                guard scan.allSatisfy(member, ByteClass.isToken) else { return nil }
                let name = scan.lowercased(member)
                if name == "*" { return nil }
                if names.contains(name) { continue }
                guard names.count < Self.varyLimit else { return nil }
                names.append(name)
            }
        }
        return names
    }

    /// True if the content has a content coding, or had one that the client decoded.
    var isCoded: Bool { isDecoded || !headers[values: .contentEncoding].allSatisfy(ContentCoding.isIdentity) }

    /// Returns true if this response answers the same requests as `other`, and therefore replaces it. The URLs are
    /// not compared, so both responses must belong to the same key of the store.
    public func replaces(_ other: CachedResponse) -> Bool {
        partition == other.partition && wasDecodable == other.wasDecodable
            && selectingFields.count == other.selectingFields.count
            && selectingFields.allSatisfy { FieldBytes.areEqual($0.value, other.selectingFields[$0.key]) }
            && varyNames == other.varyNames
    }

    /// False if the cache cannot have stored this value. A faulty store may return such values.
    package var isPlausible: Bool {
        (200...599).contains(status) && status != 206 && status != 304 && bodyLength >= 0 && age >= 0
            // `Headers` accepts invalid fields when it is decoded (`Codable`). An invalid ETag or Last-Modified would
            // get into the requests that validate this response.
            && headers.isValid
    }
}
