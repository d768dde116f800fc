import BenchmarkKit
import Foundation

/// The results of all clients in one scenario; the first is the one that the others are compared with.
struct ScenarioResult {
    let scenario: Scenario
    let clients: [ClientResult]

    /// The headings of ``rows``.
    var headings: [String] {
        switch scenario.measure {
        case .requests:
            ["client", "req/s", "min–max", "speed ratio", "CPU µs/req", "CPU ratio", "k instr/req"]
                + ["p50 µs", "p99 µs", "p99.9 µs", "RSS MiB", "errors"]
        case .bytes:
            ["client", "GB/s", "min–max", "speed ratio", "CPU s/GB", "CPU ratio", "instr/KiB", "RSS MiB", "errors"]
        }
    }

    /// A row a client. A ratio above 1 means that the first client is that many times better than this one.
    var rows: [[String]] {
        clients.map { result in
            let rates = [
                result.client,
                number(result.rate?.median),
                result.rate.map { "\(number($0.least))–\(number($0.most))" } ?? "–",
                ratio(clients.first?.rate?.median, to: result.rate?.median),
                number(result.cpu?.median),
                ratio(result.cpu?.median, to: clients.first?.cpu?.median),
                number(result.instructions?.median),
            ]
            let latencies = [result.latency(\.p50), result.latency(\.p99), result.latency(\.p999)].map(number)
            return rates + (scenario.measure == .requests ? latencies : []) + [memory(result), "\(result.errors)"]
        }
    }

    private func memory(_ result: ClientResult) -> String {
        guard let peak = result.peakMiB, let idle = result.idleMiB, peak > 0 else { return "–" }
        return "\(number(peak)) (+\(number(peak - idle)))"
    }

    private func ratio(_ value: Double?, to other: Double?) -> String {
        guard let value, let other, other > 0 else { return "–" }
        return number(value / other) + "×"
    }

    /// Three significant digits, or all that stand before the point.
    private func number(_ value: Double?) -> String {
        guard let value else { return "–" }
        let decimals = abs(value) >= 100 ? 0 : abs(value) >= 10 ? 1 : abs(value) >= 1 ? 2 : 3
        return String(format: "%.\(decimals)f", value)
    }
}
