import CSockeyeBenchmark
import Sockeye
import SockeyePlatform

/// Measures the client against ``BenchmarkServer`` and prints the figures.
///
///     swift run -c release sockeye-benchmark
@main
struct SockeyeBenchmark {
    static func main() async {
        let command: BenchmarkCommand
        do {
            command = try BenchmarkCommand(arguments: Array(CommandLine.arguments.dropFirst()))
        } catch {
            fail("\(error)", status: 2)
        }
        do {
            try await run(command)
        } catch {
            fail("\(error)", status: 1)
        }
    }

    private static func run(_ command: BenchmarkCommand) async throws {
        switch command {
        case .help: print(BenchmarkCommand.helpText)
        case .serve(let usesTLS): try BenchmarkServer.serve(usesTLS: usesTLS)
        case .measure(let options): try await measure(options)
        }
    }

    private static func measure(_ options: BenchmarkOptions) async throws {
        #if DEBUG
        say("this build is not optimized, so its figures are not representative; use `swift run -c release`")
        #endif
        let server = try ServerProcess(usesTLS: options.usesTLS)
        defer { server.end() }
        endProcess(after: options.longestTime)
        let report = try await BenchmarkRun(
            seconds: options.seconds, server: server.greeting, progress: say
        ).report()
        try print(options.printsJSON ? report.json() : report.text)
    }

    /// Ends the process with an error after `limit`: a last resort if a measurement hangs despite the shorter time
    /// limits of the client and of ``ServerProcess``.
    private static func endProcess(after limit: Duration) {
        Task.detached {
            try? await Task.sleep(for: limit)
            fail("the measurements did not end within \(limit)", status: 1)
        }
    }

    private static func fail(_ message: String, status: Int32) -> Never {
        say(message)
        bench_exit(status)
    }

    /// Writes a line to standard error, so that standard output contains only the figures.
    @Sendable
    private static func say(_ message: String) {
        SystemFile.append(Array("sockeye-benchmark: \(message)\n".utf8), to: 2)
    }
}
