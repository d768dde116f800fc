import BenchmarkKit
import Foundation

/// wrk: epoll and a parser in C with nothing between them, which is the practical limit.
///
/// It is a load generator and no library: it reuses one request for ever and hands no body to anybody. It has no
/// uncounted requests either, so its CPU time includes its start.
struct WrkClient: Client {
    let name = "wrk"
    let takesTurns = false
    private let script = RepositoryLayout.benchmarks.appending(path: "Scripts/wrk-report.lua")

    /// It undoes no coding, decodes nothing and has neither policies nor tasks to watch, and its connections are its tasks.
    func takesPart(in scenario: Scenario) -> Bool {
        guard case .get = scenario.job, scenario.coding == nil, scenario.purpose == .comparison
        else { return false }
        let isCounted = scenario.measure == .requests || scenario.measure == .handshakes
        return isCounted && (scenario.tasks ?? scenario.connections) == scenario.connections
    }

    func command(_ options: ClientOptions) -> (program: String, arguments: [String]) {
        // A thousand TLS handshakes take a second of their own.
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
