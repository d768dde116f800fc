import Sockeye
import Testing

@testable import SockeyeToolKit

@Suite("Bench values")
struct BenchTests {
    @Test(arguments: [
        (50.0, 500), (90, 900), (99, 990), (99.9, 999), (100, 1000), (0, 1), (0.1, 1),
    ])
    func `percentiles are the nearest rank`(percent: Double, milliseconds: Int) {
        let summary = LatencySummary((1...1000).shuffled().map { .milliseconds($0) })
        #expect(summary.percentile(percent) == .milliseconds(milliseconds))
        #expect(summary.fastest == .milliseconds(1) && summary.slowest == .milliseconds(1000))
        #expect(summary.mean == .microseconds(500_500))
    }

    @Test
    func `percentiles without durations are zero, and one duration is every percentile`() {
        #expect(LatencySummary([]).percentile(99) == .zero)
        #expect(LatencySummary([.seconds(2)]).percentile(1) == .seconds(2))
        #expect(LatencySummary([.seconds(2)]).percentile(99.9) == .seconds(2))
    }

    @Test(arguments: [(0, 1, 1.0), (1_000_001, 1, 1), (1, 0, 1), (1, 257, 1), (1, 1, 0), (1, 1, 3601), (1, 1, .nan)])
    func `a benchmark without bounds is refused`(requests: Int, connections: Int, seconds: Double) {
        #expect(throws: UsageFault.self) {
            try BenchPlan(requests: requests, connections: connections, seconds: seconds)
        }
    }

    @Test
    func `there are no more connections than requests`() throws {
        #expect(try BenchPlan(requests: 3, connections: 10, seconds: 1).connections == 3)
    }

    private func report() throws -> BenchReport {
        var (first, second) = (BenchTally(), BenchTally())
        for number in 1...60 { first.answer(200, bytes: 100, in: .milliseconds(number)) }
        for number in 61...98 { second.answer(number > 97 ? 503 : 200, bytes: 100, in: .milliseconds(number)) }
        second.failure("timeout")
        first.merge(second)
        let plan = try BenchPlan(requests: 100, connections: 10, seconds: 60)
        return BenchReport(url: "http://h/", plan: plan, tally: first, elapsed: .milliseconds(500))
    }

    @Test
    func `a report has counts, rates, latencies and errors`() throws {
        let lines = try report().lines()
        #expect(lines[0] == "http://h/: 99 of 100 requests over 10 connections in 500 ms")
        #expect(lines[1] == "  requests/s  196")
        #expect(lines.contains("    p50        49.0 ms"))
        #expect(lines.contains("    p99.9      98.0 ms"))
        #expect(lines.contains("  status 503  1"))
        #expect(lines.contains("  error timeout  1"))
        #expect(lines.last == "  ended before all requests were made")
    }

    @Test
    func `a report for machines has the same figures`() throws {
        let json = try report().json
        #expect(json["requestsPerSecond"] == 196)
        #expect(json["done"] == 99 && json["failed"] == 1)
        #expect(json["latency"]?["p50"] == 49 && json["latency"]?["p99.9"] == 98)
        #expect(json["statuses"] == ["200": 97, "503": 1] && json["errors"] == ["timeout": 1])
    }
}
