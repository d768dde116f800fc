/// A URI template of level 1 (RFC 6570 3.2.2) that request paths are matched with. It consists of literal text,
/// `{name}` for a segment or a part of a segment, and an optional `*` at the end for any rest of the path.
struct PathTemplate: Sendable, Hashable {
    private enum Token: Sendable, Hashable {
        case literal(String)
        case variable(String)
        case rest
    }

    private let tokens: [Token]
    let text: String

    init(_ text: String) {
        self.text = text
        var tokens: [Token] = []
        var rest = text[...]
        let hasRest = rest.hasSuffix("*")
        if hasRest { rest = rest.dropLast() }
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            if open > rest.startIndex { tokens.append(.literal(String(rest[..<open]))) }
            tokens.append(.variable(String(rest[rest.index(after: open)..<close])))
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { tokens.append(.literal(String(rest))) }
        if hasRest { tokens.append(.rest) }
        self.tokens = tokens
    }

    /// Returns the percent-decoded values of the variables; nil if the path does not match.
    func match(_ path: String) -> [String: String]? {
        var values: [String: String] = [:]
        return Self.match(tokens[...], path[...], &values) ? values : nil
    }

    /// Matches with backtracking: a variable takes the longest part of its segment with which the rest of the template
    /// still matches.
    private static func match(
        _ tokens: ArraySlice<Token>, _ path: Substring, _ values: inout [String: String]
    ) -> Bool {
        guard let token = tokens.first else { return path.isEmpty }
        switch token {
        case .rest: return true
        case .literal(let text):
            return path.hasPrefix(text) && match(tokens.dropFirst(), path.dropFirst(text.count), &values)
        case .variable(let name):
            var end = path.firstIndex(of: "/") ?? path.endIndex
            while end > path.startIndex {
                if match(tokens.dropFirst(), path[end...], &values) {
                    values[name] = QueryItems.decoded(path[..<end])
                    return true
                }
                end = path.index(before: end)
            }
            return false
        }
    }
}
