import Sockeye
import SockeyeSerialization

extension RecordedTransport {
    /// When a request is one that was recorded.
    ///
    /// Method and URL have to be the same, query items in any order; bodies as well: JSON by value, forms by their items,
    /// multipart content without regard to its boundaries, everything else byte by byte. Fields do not count unless they are
    /// named. What the ``RecordingRules`` remove is not compared.
    public struct Matching: Sendable {
        /// In which order recorded exchanges are given.
        @nonexhaustive public enum Order: Sendable, Hashable {
            /// Each once, the first first among those that match. The default.
            case loose
            /// Each once, and the next request has to be the next one that was recorded.
            case strict
            /// As ``loose``; when all that match were given, the last of them again and again.
            case repeating
        }

        /// In which order recorded exchanges are given. Default ``Order/loose``.
        public var order: Order
        /// Fields that have to be the same, such as Range. Default none.
        public var fields: [Headers.Name]
        /// Query items that do not count, such as a time. Default none.
        public var ignoredQueryItems: Set<String> = []
        /// Whether bodies have to be the same. Default true.
        public var comparesBodies = true

        /// Makes a rule; each default is named at its property.
        public init(order: Order = .loose, fields: [Headers.Name] = []) {
            self.order = order
            self.fields = fields
        }
    }
}

extension RecordedTransport.Matching {
    /// What is different about a request, a line each; empty for one that matches. Both have been cleaned.
    func differences(recorded: RecordedExchange.Request, asked: RecordedExchange.Request) -> [String] {
        var lines: [String] = []
        if recorded.method != asked.method { lines.append("method: - \(recorded.method)\n        + \(asked.method)") }
        let (one, other) = (parts(of: recorded.url), parts(of: asked.url))
        if one.target != other.target { lines.append("url: - \(one.target)\n     + \(other.target)") }
        if one.query != other.query { lines += queryDifferences(one.query, other.query) }
        for name in fields where recorded.headers[values: name] != asked.headers[values: name] {
            lines.append(
                "\(name): - \(recorded.headers[name] ?? "(none)")\n  + \(asked.headers[name] ?? "(none)")")
        }
        if comparesBodies { lines += bodyDifferences(recorded, asked) }
        if comparesBodies, recorded.trailers != asked.trailers { lines.append("trailers differ") }
        return lines
    }

    private func parts(of url: String) -> (target: Substring, query: [QueryItems.Item]) {
        let target = url.prefix { $0 != "?" }
        let query = url.dropFirst(target.count + 1).prefix { $0 != "#" }
        return (target, QueryItems(query).sorted.filter { !ignoredQueryItems.contains($0.name) })
    }

    private func queryDifferences(_ recorded: [QueryItems.Item], _ asked: [QueryItems.Item]) -> [String] {
        let missing = recorded.filter { !asked.contains($0) }.map { "query: - \($0.name)=\($0.value)" }
        let added = asked.filter { !recorded.contains($0) }.map { "query: + \($0.name)=\($0.value)" }
        return missing + added
    }

    private func bodyDifferences(_ recorded: RecordedExchange.Request, _ asked: RecordedExchange.Request) -> [String] {
        guard recorded.body != asked.body else { return [] }
        if let one = try? JSONValue(parsing: recorded.body), let other = try? JSONValue(parsing: asked.body) {
            return JSONDifference.lines(expected: one, actual: other).map { "body: \($0)" }
        }
        guard let one = String(validating: recorded.body, as: UTF8.self),
            let other = String(validating: asked.body, as: UTF8.self)
        else {
            return ["body: \(recorded.body.count) bytes were recorded, others were sent (\(asked.body.count))"]
        }
        if recorded.mediaType?.essence == "application/x-www-form-urlencoded" {
            let (one, other) = (QueryItems(one).sorted, QueryItems(other).sorted)
            return queryDifferences(one, other).map { $0.replacing("query:", with: "form:") }
        }
        return TextDifference.lines(expected: one, actual: other).map { "body: \($0)" }
    }
}

/// The recorded exchanges of a file and which were given: what replaying decides, without I/O.
struct ReplayList: Sendable {
    private(set) var exchanges: [RecordedExchange]
    private var used: Set<Int> = []
    private let matching: RecordedTransport.Matching

    init(_ exchanges: [RecordedExchange], _ matching: RecordedTransport.Matching) {
        self.exchanges = exchanges
        self.matching = matching
    }

    /// How many were not asked for.
    var unused: [RecordedExchange] { exchanges.indices.filter { !used.contains($0) }.map { exchanges[$0] } }

    /// The exchange for a request; nil where there is none.
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

    /// Adds an exchange that was recorded after all, and given.
    mutating func add(_ exchange: RecordedExchange) {
        exchanges.append(exchange)
        used.insert(exchanges.count - 1)
    }

    /// Why there is no exchange for a request: what the closest one would have wanted, as a difference.
    func refusal(of request: RecordedExchange.Request) -> String {
        if matching.order == .strict, let next {
            return refusal(of: request, next, "the next one, number \(next + 1),")
        }
        let left = exchanges.indices.filter { matching.order == .repeating || !used.contains($0) }
        let closest = left.min { differences($0, request).count < differences($1, request).count }
        guard let closest else {
            let count = exchanges.count
            let again = exchanges.indices.contains { matches($0, request) } ? ", the one that matches included" : ""
            return "all \(count) recorded exchanges were given\(again); asked for was \(request.line)"
        }
        return refusal(of: request, closest, "the closest, number \(closest + 1),")
    }

    private func refusal(of request: RecordedExchange.Request, _ index: Int, _ name: String) -> String {
        let lines = differences(index, request).map { "  " + $0.replacing("\n", with: "\n  ") }
        return "no recorded exchange for \(request.line); \(name) differs (- recorded, + asked for):\n"
            + lines.joined(separator: "\n")
    }

    private var next: Int? { exchanges.indices.first { !used.contains($0) } }

    private func matches(_ index: Int, _ request: RecordedExchange.Request) -> Bool {
        differences(index, request).isEmpty
    }

    private func differences(_ index: Int, _ request: RecordedExchange.Request) -> [String] {
        matching.differences(recorded: exchanges[index].request, asked: request)
    }
}
