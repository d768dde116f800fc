import Testing

@testable import sockeye_benchmark

@Suite("The benchmark's report")
struct BenchmarkReportTests {
    @Test("percentiles are nearest ranks in microseconds, and the order of the durations does not matter")
    func percentiles() {
        let thousand = LatencyPercentiles(nanoseconds: (1...1000).map { $0 * 1000 }.reversed())
        #expect([thousand.p50, thousand.p90, thousand.p99, thousand.p999, thousand.max] == [500, 900, 990, 999, 1000])
        let three = LatencyPercentiles(nanoseconds: [3000, 1000, 2000])
        #expect([three.p50, three.p90, three.p999, three.max] == [2, 3, 3, 3])
        #expect(LatencyPercentiles(nanoseconds: []).max == 0)
    }

    private static let durations: [(Double, String)] = [
        (0, "0.000 µs"), (0.25, "0.250 µs"), (9.994, "9.99 µs"), (9.996, "10.0 µs"), (99.96, "100 µs"),
        (999.4, "999 µs"), (999.6, "1.00 ms"), (52_040, "52.0 ms"), (999_600, "1.00 s"), (2_050_000, "2.05 s"),
    ]

    @Test("a duration has three digits and a unit", arguments: durations)
    func duration(_ microseconds: Double, _ text: String) {
        #expect(NumberText.duration(microseconds: microseconds) == text)
    }

    @Test("a size has a unit", arguments: [(0, "0 B"), (1023, "1023 B"), (5530, "5.40 KiB"), (15 << 20, "15.0 MiB")])
    func size(_ bytes: Int, _ text: String) {
        #expect(NumberText.size(bytes) == text)
    }

    @Test("a whole number has commas", arguments: [(0, "0"), (999.4, "999"), (12_345, "12,345"), (1e6, "1,000,000")])
    func grouped(_ number: Double, _ text: String) {
        #expect(NumberText.grouped(number) == text)
    }

    @Test("a transfer without bytes has no figures, because its cost per byte would be infinite")
    func emptyTransfer() {
        #expect(TransferFigures(bytes: 0, usage: ProcessUsage(time: 2, user: 0.4, system: 0.6)) == nil)
    }

    @Test("the columns of the report's text are aligned")
    func table() throws {
        let usage = ProcessUsage(time: 2, user: 0.03, system: 0.02)
        let latencies = [Int64](repeating: 500_000, count: 999) + [4_000_000]
        let usual = TransferFigures(bytes: 4_000_000_000, usage: ProcessUsage(time: 2, user: 0.4, system: 0.6))
        let stream = try #require(usual)
        let report = BenchmarkReport(
            tls: true, seconds: 2, cores: 2, system: "Linux 6.1",
            requests: [
                RequestFigures(connections: 1, latencies: latencies, usage: usage, instructions: 19_345),
                RequestFigures(connections: 64, latencies: latencies, usage: usage, instructions: nil),
            ], download: stream, upload: stream,
            memory: MemoryFigures(
                peakResidentBytes: 15 << 20, peakHeapBytes: 1 << 20, heapBytesPerIdleConnection: nil))
        #expect(
            report.text == """
                Sockeye over https, 2 s per measurement, 2 cores, Linux 6.1

                Small GETs                              1 connection      64 connections
                  requests per second                            500                 500
                  CPU time per request                       50.0 µs             50.0 µs
                    in user mode                             30.0 µs             30.0 µs
                  user instructions per request               19,345       not available
                  latency p50                                 500 µs              500 µs
                  latency p90                                 500 µs              500 µs
                  latency p99                                 500 µs              500 µs
                  latency p99.9                               500 µs              500 µs
                  latency max                                4.00 ms             4.00 ms

                Streams                                     download              upload
                  GB/s                                          2.00                2.00
                  CPU time per GB                             250 ms              250 ms

                Memory
                  peak RSS during the streams               15.0 MiB
                  peak heap during the streams              1.00 MiB
                  heap per idle connection             not available
                """)
    }
}
