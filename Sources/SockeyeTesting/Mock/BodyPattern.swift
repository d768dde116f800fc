public import Sockeye

/// What the body of a request has to be, for ``MockTransport/answer(_:body:with:)`` and
/// ``MockTransport/verify(_:body:times:)-(_,_,Int)``.
///
/// ```swift
/// mock.answer("POST /users", body: .json(["name": "Ada"]), with: .status(.created))
/// mock.answer("POST /login", body: .form(["user": "ada"])) { _ in .ok() }
/// ```
public struct BodyPattern: Sendable {
    /// Lines that say what is different; none for a body that matches.
    let differences: @Sendable (MockRequest) -> [String]
    /// The pattern in words.
    let text: String

    private init(_ text: String, _ differences: @escaping @Sendable (MockRequest) -> [String]) {
        self.text = text
        self.differences = differences
    }

    /// Any body, or none.
    public static let any = BodyPattern("any body") { _ in [] }

    /// Exactly this text in UTF-8.
    public static func text(_ text: String) -> BodyPattern {
        BodyPattern("this text") { TextDifference.lines(expected: text, actual: $0.text) }
    }

    /// Exactly these bytes.
    public static func bytes(_ bytes: some Sequence<UInt8>) -> BodyPattern {
        let expected = Bytes(bytes)
        return BodyPattern("these bytes") { request in
            request.body == expected ? [] : ["\(expected.count) other bytes expected, got \(request.body.count)"]
        }
    }

    /// JSON of this value: the order of members, blanks and the ways to write a number or a string do not matter.
    public static func json(_ value: JSONValue) -> BodyPattern {
        BodyPattern("this JSON") { request in
            guard let actual = try? request.json(JSONValue.self) else { return ["no JSON: \(request.text.prefix(80))"] }
            return JSONDifference.lines(expected: value, actual: actual)
        }
    }

    /// JSON of what this value encodes to. One that cannot be encoded matches nothing.
    public static func json(_ value: some Encodable) -> BodyPattern {
        guard let value = try? JSONValue(encoding: value) else {
            return BodyPattern("this JSON") { _ in ["the expected value cannot be encoded"] }
        }
        return .json(value)
    }

    /// A JSON object as a literal whose values may be variables. See ``/Sockeye/JSONValue/Object/Literal``.
    @_disfavoredOverload
    public static func json(_ object: JSONValue.Object.Literal) -> BodyPattern {
        guard let value = try? JSONValue(encoding: object) else {
            return BodyPattern("this JSON") { _ in ["the expected value cannot be encoded"] }
        }
        return .json(value)
    }

    /// A form (`application/x-www-form-urlencoded`) with at least these items.
    public static func form(_ items: [String: String]) -> BodyPattern {
        BodyPattern("this form") { request in
            let found = QueryItems(request.text)
            return items.sorted { $0.key < $1.key }.compactMap { name, value in
                let values = found.values(of: name)
                if values.contains(value) { return nil }
                return values.isEmpty ? "no \(name) in the form" : "\(name)=\(values[0]) in the form, not \(value)"
            }
        }
    }

    /// Whatever a closure accepts. What it throws is no match.
    ///
    /// - Parameters:
    ///   - description: What messages call it.
    ///   - accepts: Whether the body of a request is what is meant.
    public static func matching(
        _ description: String = "a condition of the test", _ accepts: @escaping @Sendable (MockRequest) throws -> Bool
    ) -> BodyPattern {
        BodyPattern(description) { request in
            (try? accepts(request)) == true ? [] : ["not \(description)"]
        }
    }
}

extension BodyPattern: ExpressibleByStringLiteral {
    /// Exactly this text in UTF-8.
    public init(stringLiteral value: String) {
        self = .text(value)
    }
}
