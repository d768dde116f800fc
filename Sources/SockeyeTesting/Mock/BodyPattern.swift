public import Sockeye

/// A condition on the body of a request, for ``MockTransport/answer(_:body:with:)`` and
/// ``MockTransport/verify(_:body:times:)-(_,_,Int)``.
///
/// ```swift
/// mock.answer(
///     "POST /users", body: .json(["name": "Ada"]), with: .status(.created))
/// mock.answer("POST /login", body: .form(["user": "ada"])) { _ in .ok() }
/// ```
public struct BodyPattern: Sendable {
    /// Returns a line for each difference; empty if the body matches.
    let differences: @Sendable (MockRequest) -> [String]
    /// The name of the pattern in messages.
    let text: String

    private init(_ text: String, _ differences: @escaping @Sendable (MockRequest) -> [String]) {
        self.text = text
        self.differences = differences
    }

    /// Matches any body, including an empty one.
    public static let any = BodyPattern("any body") { _ in [] }

    /// Matches exactly this text in UTF-8.
    public static func text(_ text: String) -> BodyPattern {
        BodyPattern("this text") { request in
            if request.body == Bytes(text) { return [] }
            let lines = TextDifference.lines(expected: text, actual: request.text)
            return lines.isEmpty ? ["the body is not UTF-8"] : lines
        }
    }

    /// Matches exactly these bytes.
    public static func bytes(_ bytes: some Sequence<UInt8>) -> BodyPattern {
        let expected = Bytes(bytes)
        return BodyPattern("these bytes") { request in
            let counts = "\(request.body.count) bytes, expected \(expected.count)"
            return request.body == expected ? [] : ["the body differs from the expected bytes (\(counts))"]
        }
    }

    /// Matches JSON with this value. The order of members, whitespace, and the notation of numbers and strings do not
    /// matter.
    public static func json(_ value: JSONValue) -> BodyPattern {
        BodyPattern("this JSON") { request in
            guard let actual = try? request.json(JSONValue.self) else {
                return ["not JSON: \(request.text.prefix(80))"]
            }
            return JSONDifference.lines(expected: value, actual: actual)
        }
    }

    /// Matches JSON equal to the encoding of this value. A value that cannot be encoded matches no body.
    public static func json(_ value: some Encodable) -> BodyPattern {
        guard let value = try? JSONValue(encoding: value) else {
            return BodyPattern("this JSON") { _ in ["the expected value cannot be encoded"] }
        }
        return .json(value)
    }

    /// Matches JSON equal to an object literal; its values may be variables. See
    /// ``/Sockeye/JSONValue/Object/Literal``.
    @_disfavoredOverload
    public static func json(_ object: JSONValue.Object.Literal) -> BodyPattern {
        guard let value = try? JSONValue(encoding: object) else {
            return BodyPattern("this JSON") { _ in ["the expected value cannot be encoded"] }
        }
        return .json(value)
    }

    /// Matches a form (`application/x-www-form-urlencoded`) that has at least these items. The Content-Type is not
    /// checked.
    public static func form(_ items: [String: String]) -> BodyPattern {
        BodyPattern("this form") { request in
            let found = QueryItems(request.text)
            return items.sorted { $0.key < $1.key }.compactMap { name, value in
                let values = found.values(of: name)
                if found.contains(name, value) { return nil }
                return values.isEmpty ? "no \(name) in the form" : "\(name)=\(values[0]) in the form, not \(value)"
            }
        }
    }

    /// Matches if a closure returns true. If the closure throws, the body does not match.
    ///
    /// - Parameters:
    ///   - description: The name of the condition in messages.
    ///   - accepts: Returns true if the body of the request matches.
    public static func matching(
        _ description: String = "a condition of the test", _ accepts: @escaping @Sendable (MockRequest) throws -> Bool
    ) -> BodyPattern {
        BodyPattern(description) { request in
            (try? accepts(request)) == true ? [] : ["the body does not match: \(description)"]
        }
    }
}

extension BodyPattern: ExpressibleByStringLiteral {
    /// Matches exactly this text in UTF-8.
    public init(stringLiteral value: String) {
        self = .text(value)
    }
}
