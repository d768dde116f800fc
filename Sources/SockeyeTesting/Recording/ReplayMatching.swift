import Sockeye
import SockeyeSerialization

extension RecordedTransport {
    /// The rules that decide if a request matches a recorded request.
    ///
    /// Method and URL must be equal, with query items in any order. Bodies must be equal too: JSON by value, forms by
    /// their items, multipart content regardless of its boundaries, everything else byte by byte. Fields are compared
    /// only if they are listed. Values that ``RecordingRules`` remove are not compared.
    public struct Matching: Sendable {
        /// The order in which recorded exchanges are used.
        @nonexhaustive public enum Order: Sendable, Hashable {
            /// Each exchange is used once; the first unused exchange that matches is chosen. The default.
            case loose
            /// Each exchange is used once, and the next request must match the next recorded request.
            case strict
            /// Like ``loose``, but after all matching exchanges were used, the last of them is repeated.
            case repeating
        }

        /// The order in which recorded exchanges are used. Default ``Order/loose``.
        public var order: Order
        /// Fields that must be equal, such as Range. Default: none.
        public var fields: [Headers.Name]
        /// The names of query items that are ignored, such as `timestamp`. Default: none.
        public var ignoredQueryItems: Set<String> = []
        /// True if bodies and trailers must be equal. Default true.
        public var comparesBodies = true

        /// Makes matching rules.
        public init(order: Order = .loose, fields: [Headers.Name] = []) {
            self.order = order
            self.fields = fields
        }
    }
}

extension RecordedTransport.Matching {
    /// Returns a line for each difference; empty if the request matches. Secrets must have been removed from both
    /// requests.
    func differences(recorded: RecordedExchange.Request, asked: RecordedExchange.Request) -> [String] {
        var lines: [String] = []
        if recorded.method != asked.method { lines.append("method: - \(recorded.method)\n        + \(asked.method)") }
        let (one, other) = (parts(of: recorded.url), parts(of: asked.url))
        if one.target != other.target { lines.append("url: - \(one.target)\n     + \(other.target)") }
        if one.query != other.query { lines += queryDifferences(one.query, other.query) }
        for name in fields where !Self.areEqual(recorded.headers[values: name], asked.headers[values: name]) {
            lines.append(
                "\(name): - \(recorded.headers[name] ?? "(none)")\n  + \(asked.headers[name] ?? "(none)")")
        }
        if comparesBodies { lines += bodyDifferences(recorded, asked) }
        if comparesBodies, recorded.trailers != asked.trailers { lines.append("trailers differ") }
        return lines
    }

    private static func areEqual(_ recorded: [String], _ asked: [String]) -> Bool {
        recorded.elementsEqual(asked) { $0.utf8.elementsEqual($1.utf8) }
    }

    /// Returns the part of a URL before the query, and the sorted query items without the ignored ones.
    private func parts(of url: String) -> (target: Substring, query: [QueryItems.Item]) {
        let target = url.prefix { $0 != "?" }
        let query = url.dropFirst(target.count + 1).prefix { $0 != "#" }
        return (target, QueryItems(query).sorted.filter { !ignoredQueryItems.contains($0.name) })
    }

    private func queryDifferences(_ recorded: [QueryItems.Item], _ asked: [QueryItems.Item]) -> [String] {
        let missing = Self.excess(of: recorded, over: asked).map { "query: - \($0.name)=\($0.value)" }
        let added = Self.excess(of: asked, over: recorded).map { "query: + \($0.name)=\($0.value)" }
        return missing + added
    }

    /// Returns the items that occur more often in `items` than in `others`.
    private static func excess(of items: [QueryItems.Item], over others: [QueryItems.Item]) -> [QueryItems.Item] {
        var counts = Dictionary(others.map { ($0, 1) }, uniquingKeysWith: +)
        return items.filter { item in
            counts[item, default: 0] -= 1
            return counts[item, default: 0] < 0
        }
    }

    private func bodyDifferences(_ recorded: RecordedExchange.Request, _ asked: RecordedExchange.Request) -> [String] {
        guard recorded.body != asked.body else { return [] }
        if let one = try? JSONValue(parsing: recorded.body), let other = try? JSONValue(parsing: asked.body) {
            return JSONDifference.lines(expected: one, actual: other).map { "body: \($0)" }
        }
        guard let one = String(validating: recorded.body, as: UTF8.self),
            let other = String(validating: asked.body, as: UTF8.self)
        else {
            return [
                "body: the recorded request has \(recorded.body.count) bytes, this one \(asked.body.count), and they differ"
            ]
        }
        if recorded.mediaType?.essence == "application/x-www-form-urlencoded" {
            let (one, other) = (QueryItems(one).sorted, QueryItems(other).sorted)
            return queryDifferences(one, other).map { $0.replacing("query:", with: "form:") }
        }
        return TextDifference.lines(expected: one, actual: other).map { "body: \($0)" }
    }
}

/// The recorded exchanges of a file, with a note of those that have been used.
struct ReplayList: Sendable {
    let exchanges: [RecordedExchange]
    private var used: Set<Int> = []
    private let matching: RecordedTransport.Matching

    init(_ exchanges: [RecordedExchange], _ matching: RecordedTransport.Matching) {
        self.exchanges = exchanges
        self.matching = matching
    }

    /// The exchanges that have not been used.
    var unused: [RecordedExchange] { exchanges.indices.filter { !used.contains($0) }.map { exchanges[$0] } }

    /// Returns the exchange for a request and marks it as used; nil if none matches.
    mutating func take(_ request: RecordedExchange.Request) -> RecordedExchange? {
        let index: Int? =
            switch matching.order {
            case .strict: next.flatMap { matches($0, request) ? $0 : nil }
            case .loose: exchanges.indices.first { !used.contains($0) && matches($0, request) }
            case .repeating:
                exchanges.indices.first { !used.contains($0) && matches($0, request) }
                    ?? exchanges.indices.last { matches($0, request) }
            }
        guard let index else { return nil }
        used.insert(index)
        return exchanges[index]
    }

    /// Returns the reason why a request has no exchange: its differences from the next exchange (in strict order) or
    /// from the closest one, or the fact that all exchanges were used.
    func refusal(of request: RecordedExchange.Request) -> String {
        if matching.order == .strict, let next {
            return refusal(of: request, next, "the next one, number \(next + 1),")
        }
        let left = exchanges.indices.filter { matching.order == .repeating || !used.contains($0) }
        let closest = left.min { differences($0, request).count < differences($1, request).count }
        guard let closest else {
            let count = exchanges.count
            let again = exchanges.indices.contains { matches($0, request) } ? ", including the one that matches" : ""
            return "all \(count) recorded exchanges were used\(again); none is left for \(request.line)"
        }
        return refusal(of: request, closest, "the closest, number \(closest + 1),")
    }

    private func refusal(of request: RecordedExchange.Request, _ index: Int, _ name: String) -> String {
        let lines = differences(index, request).map { "  " + $0.replacing("\n", with: "\n  ") }
        return "no recorded exchange for \(request.line); \(name) differs (- recorded, + requested):\n"
            + lines.joined(separator: "\n")
    }

    /// The index of the first unused exchange; nil if all were used.
    private var next: Int? { exchanges.indices.first { !used.contains($0) } }

    private func matches(_ index: Int, _ request: RecordedExchange.Request) -> Bool {
        differences(index, request).isEmpty
    }

    private func differences(_ index: Int, _ request: RecordedExchange.Request) -> [String] {
        matching.differences(recorded: exchanges[index].request, asked: request)
    }
}
