import SockeyeCore
import SockeyeHTTP

/// The part of a cache key that separates users regardless of Vary. It has two digests. Both cover fields with
/// credentials, Accept-Encoding, Host, and the user and password in the URL. They also cover values that the cache
/// policy adds, such as the path of a unix-domain socket.
///
/// A response with the directive `private` is meant for one user, and the server may recognise that user by a field
/// that this library does not know. The key of such a response therefore covers all request fields, except those that
/// are known not to identify a user.
struct CachePartition: Sendable {
    /// The digest for responses without `private`. Empty if the request has nothing that separates users.
    let common: String
    /// The digest for responses with `private`.
    let personal: String
    /// The names of the fields that the client configured as secret.
    private let secretFields: Set<Headers.Name>

    /// The partition of requests that have nothing that separates users.
    static let unseparated = CachePartition()

    private init() { (common, personal, secretFields) = ("", "", []) }

    /// - Returns: Nil if OpenSSL cannot compute a digest.
    init?(_ url: HTTPURL, _ headers: Headers, _ separators: [String], _ secretFields: Set<Headers.Name>) {
        self.secretFields = secretFields
        guard !headers.isEmpty || url.hasUserInfo || !separators.isEmpty else {
            (common, personal) = ("", "")
            return
        }
        var (secrets, unusual): ([Entry], [Entry]) = ([], [])
        for index in headers.indices {
            let (name, value) = headers[index]
            // Secret fields are tested first, because the client may have configured a field of `usual` as secret.
            if name == .acceptEncoding || Self.separates(name.text) || secretFields.contains(name) {
                secrets.append(Entry(name, value))
            } else if !Self.usual.contains(name) {
                unusual.append(Entry(name, value))
            }
        }
        var text = Self.text(of: secrets)
        if let user = url.user {
            text += Entry(name: "user", value: user).line + Entry(name: "password", value: url.password ?? "").line
        }
        for separator in separators { text += Entry(name: "partition", value: separator).line }
        guard let common = Self.digest(of: text) else { return nil }
        self.common = common
        guard !unusual.isEmpty else {
            personal = common
            return
        }
        guard let personal = Self.digest(of: text + "\n" + Self.text(of: unusual)) else { return nil }
        self.personal = personal
    }

    private struct Entry {
        let name: String
        let value: String

        init(name: String, value: String) {
            self.name = name
            self.value = value
        }

        init(_ name: Headers.Name, _ value: String) {
            self.init(name: name.text.lowercased(), value: CachePartition.normalized([value]))
        }

        /// The entry as text. The length of the value precedes the value, so that no value can imitate two entries.
        var line: String { "\(name) \(value.utf8.count) \(value)\n" }
    }

    /// Returns the text of the entries, sorted by name, because the order of fields with different names has no meaning
    /// (RFC 9110 5.3).
    private static func text(of entries: [Entry]) -> String {
        let order = entries.indices.sorted { (entries[$0].name, $0) < (entries[$1].name, $1) }
        return order.map { entries[$0].line }.joined()
    }

    private static func digest(of text: String) -> String? {
        text.isEmpty ? "" : DigestHash.sha256.hexadecimal(of: text)
    }

    // MARK: Fields

    /// Returns true for a request field that separates responses even if Vary does not name it: a field with
    /// credentials, or Host.
    static func separates(_ name: String) -> Bool { SecretNames.isSecret(name) || Headers.Name(name) == .host }

    /// Like the static function of the same name, but returns true also for the fields that the client configured as
    /// secret.
    func separates(_ name: String) -> Bool {
        Self.separates(name) || !secretFields.isEmpty && secretFields.contains(Headers.Name(name))
    }

    /// The fields that do not identify a user, such as those of content negotiation, caching and conditional requests.
    /// Identifiers of single requests, such as X-Request-Id, are included: with such a field in the key, no stored
    /// response could ever be reused.
    private static let usual: Set<Headers.Name> = [
        .accept, .acceptLanguage, .cacheControl, .connection, .range, .referer, .userAgent, "Accept-Charset", "Baggage",
        "B3", "Content-Encoding", "Content-Length", "Content-Type", "Date", "DNT", "Expect", "Grpc-Trace-Bin",
        "Idempotency-Key", "If-Match", "If-Modified-Since", "If-None-Match", "If-Range", "If-Unmodified-Since",
        "Keep-Alive", "Max-Forwards", "Origin", "Pragma", "Prefer", "Priority", "Save-Data", "TE", "Traceparent",
        "Tracestate", "Upgrade-Insecure-Requests", "Uber-Trace-Id", "X-Amzn-Trace-Id", "X-B3-Flags",
        "X-B3-ParentSpanId", "X-B3-Sampled", "X-B3-SpanId", "X-B3-TraceId", "X-Cloud-Trace-Context",
        "X-Correlation-Id", "X-Datadog-Parent-Id", "X-Datadog-Sampling-Priority", "X-Datadog-Trace-Id",
        "X-Request-Id", "X-Requested-With",
    ]

    /// Returns the values of a field in normalised form: one line of list members, separated by a comma and a blank.
    static func normalized(_ values: [String]) -> String {
        var members: [String] = []
        for value in values {
            var scan = FieldScanner(value.utf8Span.span)
            while let member = scan.quotedMember() { members.append(scan.string(member)) }
        }
        return members.joined(separator: ", ")
    }
}
