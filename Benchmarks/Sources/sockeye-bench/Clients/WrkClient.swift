import BenchmarkKit
import Foundation

/// The load generator wrk, which consists of little but epoll and a parser in C: the practical limit.
///
/// It is not a library: it repeats one request and passes no body to a caller. It has no warm-up, so its CPU time
/// includes its start.
struct WrkClient: Client {
    let name = "wrk"
    let takesTurns = false
    private let script = RepositoryLayout.benchmarks.appending(path: "Scripts/wrk-report.lua")

    /// Returns true for plain GETs. wrk decodes no codings and no JSON, has neither policies nor tasks with progress,
    /// and one task for each connection.
    func takesPart(in scenario: Scenario) -> Bool {
        guard case .get = scenario.job, scenario.coding == nil, scenario.purpose == .comparison
        else { return false }
        let isCounted = scenario.measure == .requests || scenario.measure == .handshakes
        return isCounted && (scenario.tasks ?? scenario.connections) == scenario.connections
    }

    func command(_ options: ClientOptions) -> (program: String, arguments: [String]) {
        // A thousand TLS handshakes take an additional second.
        let seconds = max(1, Int(options.seconds.rounded())) + options.connections / 512
        let arguments = [
            "-t", "1", "-c", "\(options.connections)", "-d", "\(seconds)s", "-s", script.path, options.url,
        ]
        return ("wrk", arguments)
    }

    func complete(_ sample: Sample, with ending: ChildProcess.Ending, output: String) -> Sample {
        var complete = sample
        complete.user = ending.user
        complete.system = ending.system
        complete.switches = ending.switches
        return complete
    }
}
