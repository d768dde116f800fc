import HTTPTypes
public import SockeyeHTTP

/// A pattern for requests: method, origin, path, query and fields.
///
/// A string literal gives method, origin, path and query; ``query(_:_:)`` and ``header(_:_:)`` add conditions:
///
/// ```swift
/// mock.answer("GET /users/{id}") { request in
///     .json(["id": request.parameters["id"]])
/// }
/// mock.answer("https://api.example.com/*", with: .status(503))
/// mock.answer(
///     RequestPattern("GET /search?q=swift").header(.accept, "application/json"),
///     with: .json([]))
/// ```
///
/// - The method comes first and is optional; without it any method matches.
/// - An origin such as `https://api.example.com` may precede the path; without it any origin matches.
/// - The path is compared percent-encoded, as it is sent. `{name}` matches a segment or a part of it, at least one
///   character. ``MockRequest/parameters`` then has the matched text under this name. `*` at the end matches any rest
///   of the path. `*` alone matches every path.
/// - The query lists items that the request must have, in any order; other items are allowed. Items are compared after
///   percent-decoding. `{name}` matches any value.
///
/// In a `switch` over requests a literal is a pattern as well: `case "GET /users/*":`.
public struct RequestPattern: Sendable {
    private enum Value: Sendable {
        case any
        case variable(String)
        case exactly(String)
    }

    private let method: HTTPRequest.Method?
    private let origin: HTTPURL.Origin?
    private let path: PathTemplate
    private var query: [(name: String, value: Value)] = []
    private var fields: [(name: Headers.Name, value: String?)] = []
    private var text: String

    /// Reads a pattern such as `GET /users/{id}?page=1`. Every text is a valid pattern. A malformed method counts as a
    /// part of the path. A malformed origin counts as missing.
    public init(_ text: String) {
        var rest = text[...]
        var method: HTTPRequest.Method?
        // A pattern without a method can also contain a blank, in its path or query. In that case the text before the
        // blank contains `/`, `?` or `:`, and so is not a valid method.
        if let blank = rest.firstIndex(of: " "), let named = HTTPRequest.Method(rawValue: String(rest[..<blank])) {
            method = named
            rest = rest[rest.index(after: blank)...]
        }
        self.init(method, rest)
        self.text = text
    }

    /// Makes a pattern from a method and a target in the notation of ``RequestPattern``.
    init(_ method: HTTPRequest.Method?, _ target: some StringProtocol) {
        text = (method.map { "\($0.rawValue) " } ?? "") + String(target)
        self.method = method
        var rest = String(target)[...]
        var origin: HTTPURL.Origin?
        // After a slash or question mark, `://` is a part of the path or query.
        if let scheme = rest.firstRange(of: "://"), !rest[..<scheme.lowerBound].contains(where: { "/?".contains($0) }) {
            let end = rest[scheme.upperBound...].firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
            origin = (try? HTTPURL(String(rest[..<end])))?.origin
            rest = rest[end...]
        }
        self.origin = origin
        let path = rest.prefix { $0 != "?" }
        self.path = PathTemplate(path.isEmpty ? "*" : String(path))
        query = QueryItems(rest.dropFirst(path.count + 1)).items.map { ($0.name, Self.value($0.value)) }
    }

    private static func value(_ text: String) -> Value {
        text.hasPrefix("{") && text.hasSuffix("}") ? .variable(String(text.dropFirst().dropLast())) : .exactly(text)
    }

    /// Returns this pattern with the condition that the query has an item of this name.
    public func query(_ name: String) -> RequestPattern {
        var copy = self
        copy.query.append((name, .any))
        copy.text += " with ?\(name)"
        return copy
    }

    /// Returns this pattern with the condition that the query has an item of this name and this decoded value.
    public func query(_ name: String, _ value: some CustomStringConvertible) -> RequestPattern {
        var copy = self
        copy.query.append((name, .exactly(value.description)))
        copy.text += " with ?\(name)=\(value)"
        return copy
    }

    /// Returns this pattern with the condition that the request has a field of this name, with this value if `value` is
    /// not nil. Fields that the connection adds, such as Host, match only at a ``TestServer``. A ``MockTransport`` sees
    /// the request before they are added; see ``/Sockeye/OutgoingRequest/headers``.
    public func header(_ name: Headers.Name, _ value: String? = nil) -> RequestPattern {
        var copy = self
        copy.fields.append((name, value))
        copy.text += " with \(name)\(value.map { ": \($0)" } ?? "")"
        return copy
    }

    // MARK: Matching

    /// Returns the parameters of a request; nil if the request does not match.
    func parameters(of facts: RequestFacts) -> [String: String]? {
        guard differences(from: facts).isEmpty, var parameters = path.match(facts.path) else { return nil }
        let items = QueryItems(facts.query ?? "")
        for case (let name, .variable(let parameter)) in query { parameters[parameter] = items.values(of: name).first }
        return parameters
    }

    /// Returns a line for each difference; empty if the request matches.
    func differences(from facts: RequestFacts) -> [String] {
        var lines: [String] = []
        if let method, method != facts.method { lines.append("method \(facts.method.rawValue)") }
        if let origin, origin != facts.origin {
            lines.append("origin \(facts.origin.map { "\($0)" } ?? "unknown")")
        }
        if path.match(facts.path) == nil { lines.append("path \(facts.path)") }
        let items = QueryItems(facts.query ?? "")
        for (name, wanted) in query {
            let values = items.values(of: name)
            if case .exactly(let value) = wanted, items.contains(name, value) { continue }
            if case .exactly = wanted, let other = values.first {
                lines.append("query \(name)=\(other)")
            } else if values.isEmpty {
                lines.append("no \(name) in the query")
            }
        }
        for (name, value) in fields {
            let values = facts.headers[values: name]
            if let value, values.contains(where: { $0.utf8.elementsEqual(value.utf8) }) { continue }
            if values.isEmpty {
                lines.append("no field \(name)")
            } else if value != nil {
                lines.append("another value of the field \(name)")
            }
        }
        return lines
    }
}

/// The parts of a request that a pattern checks.
struct RequestFacts: Sendable {
    let method: HTTPRequest.Method
    /// Nil if it is unknown.
    let origin: HTTPURL.Origin?
    /// The path, percent-encoded.
    let path: String
    /// The query, percent-encoded; nil if the URL has no query.
    let query: String?
    let headers: Headers
}

extension RequestPattern: ExpressibleByStringLiteral, CustomStringConvertible {
    /// Reads a pattern such as `GET /users/{id}?page=1`.
    public init(stringLiteral value: String) {
        self.init(value)
    }

    /// The pattern as it was written, followed by its added conditions.
    public var description: String { text }
}
