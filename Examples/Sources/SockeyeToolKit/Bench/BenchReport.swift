import Sockeye

/// The measurements of one worker, or of all workers together.
package struct BenchTally: Sendable, Hashable {
    package var durations: [Duration] = []
    package var statuses: [Int: Int] = [:]
    package var errors: [String: Int] = [:]
    package var bytes = 0

    package init() {}

    package mutating func answer(_ status: Int, bytes: Int, in duration: Duration) {
        durations.append(duration)
        statuses[status, default: 0] += 1
        self.bytes += bytes
    }

    package mutating func failure(_ code: String) {
        errors[code, default: 0] += 1
    }

    package mutating func merge(_ other: BenchTally) {
        durations += other.durations
        statuses.merge(other.statuses, uniquingKeysWith: +)
        errors.merge(other.errors, uniquingKeysWith: +)
        bytes += other.bytes
    }

    package var failures: Int { errors.values.reduce(0, +) }
}

/// The result of a benchmark, as lines of text and as JSON.
package struct BenchReport: Sendable {
    private static let percentiles: [Double] = [50, 75, 90, 95, 99, 99.9]

    private let url: String
    private let plan: BenchPlan
    private let tally: BenchTally
    private let elapsed: Duration
    private let latencies: LatencySummary

    package init(url: String, plan: BenchPlan, tally: BenchTally, elapsed: Duration) {
        self.url = url
        self.plan = plan
        self.tally = tally
        self.elapsed = elapsed
        latencies = LatencySummary(tally.durations)
    }

    private var seconds: Double { max(elapsed / .seconds(1), 1e-9) }
    private var done: Int { latencies.count + tally.failures }
    package var requestsPerSecond: Double { Double(latencies.count) / seconds }

    package func lines(_ style: TextStyle = .plain) -> [String] {
        var lines = [
            "\(url): \(Figures.count(done)) of \(Figures.count(plan.requests)) requests over "
                + "\(plan.connections) connections in \(Figures.time(elapsed))",
            "  requests/s  " + style(Figures.fixed(requestsPerSecond, requestsPerSecond < 100 ? 1 : 0), .green),
            "  content     \(Figures.bytes(tally.bytes)), \(Figures.bytes(Int(Double(tally.bytes) / seconds)))/s",
        ]
        if latencies.count > 0 {
            lines.append("  latency     mean \(Figures.time(latencies.mean)), least \(Figures.time(latencies.fastest))")
            for percent in Self.percentiles {
                let name = "p\(Self.text(percent))"
                lines.append("    \(name.left(9)) \(Figures.time(latencies.percentile(percent)).right(8))")
            }
            lines.append("    \("most".left(9)) \(Figures.time(latencies.slowest).right(8))")
        }
        for (status, count) in tally.statuses.sorted(by: { $0.key < $1.key }) {
            lines.append("  status \(style.status(status, "\(status)"))  \(Figures.count(count))")
        }
        for (code, count) in tally.errors.sorted(by: { $0.key < $1.key }) {
            lines.append("  error \(style(code, .red))  \(Figures.count(count))")
        }
        if done < plan.requests { lines.append("  ended before all requests were made") }
        return lines
    }

    /// Latencies in milliseconds.
    package var json: JSONValue {
        var latency: [(String, JSONValue)] = [
            ("mean", latencies.mean.milliseconds), ("min", latencies.fastest.milliseconds),
            ("max", latencies.slowest.milliseconds),
        ]
        latency += Self.percentiles.map { ("p\(Self.text($0))", latencies.percentile($0).milliseconds) }
        func object(_ counts: [(String, Int)]) -> JSONValue {
            .object(JSONValue.Object(counts.map { ($0.0, JSONValue($0.1)) }))
        }
        let statuses = tally.statuses.sorted { $0.key < $1.key }.map { ("\($0.key)", $0.value) }
        let errors = tally.errors.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        return [
            "url": .string(url), "requests": JSONValue(plan.requests), "done": JSONValue(done),
            "failed": JSONValue(tally.failures), "connections": JSONValue(plan.connections),
            "seconds": JSONValue(elapsed / .seconds(1)) ?? .null,
            "requestsPerSecond": JSONValue(requestsPerSecond) ?? .null, "bytes": JSONValue(tally.bytes),
            "latency": .object(JSONValue.Object(latency)), "statuses": object(statuses), "errors": object(errors),
        ]
    }

    private static func text(_ percent: Double) -> String {
        percent == percent.rounded() ? "\(Int(percent))" : "\(percent)"
    }
}
