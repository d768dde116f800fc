import BenchmarkKit
import Foundation

/// wrk: epoll and a parser in C with nothing between them, which is the practical limit.
///
/// It is a load generator and no library: it reuses one request for ever and hands no body to anybody. It has no
/// uncounted requests either, so its CPU time includes its start.
struct WrkClient: Client {
    let name = "wrk"
    let script: URL

    init(folder: URL) throws {
        script = folder.appending(path: "report-\(UUID()).lua")
        try Self.report.write(to: script, atomically: true, encoding: .utf8)
    }

    func takesPart(in scenario: Scenario) -> Bool { scenario.measure == .requests }

    func command(_ options: ClientOptions) -> (program: String, arguments: [String]) {
        let seconds = max(1, Int(options.seconds.rounded()))
        let arguments = [
            "-t", "1", "-c", "\(options.connections)", "-d", "\(seconds)s", "-s", script.path, options.url,
        ]
        return ("wrk", arguments)
    }

    func complete(_ sample: Sample, with ending: ChildProcess.Ending) -> Sample {
        var complete = sample
        complete.user = ending.user
        complete.system = ending.system
        return complete
    }

    /// Prints a sample in the form of the other clients.
    private static let report = """
        function done(summary, latency, requests)
            local errors = summary.errors
            local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
            io.write(string.format(
                '{"requests":%d,"bytes":%d,"seconds":%f,"user":0,"system":0,"instructions":0,"p50":%f,"p99":%f,"p999":%f,' ..
                '"idleKiB":0,"peakKiB":0,"errors":%d}\\n',
                summary.requests, summary.bytes, summary.duration / 1e6, latency:percentile(50),
                latency:percentile(99), latency:percentile(99.9), failed))
        end

        """
}
