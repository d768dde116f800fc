import BenchmarkKit
import CCores
import NIOCore

@main struct Main {
    static func main() async {
        // By default there is a loop for each core of the machine, even for cores that the process may not use.
        let cores = Int(bench_allowed_cores())
        if cores > 0 { NIOSingletons.groupLoopCountSuggestion = cores }
        await Sample.run(AsyncHTTPClientLoad.self)
    }
}
