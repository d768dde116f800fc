import CSockeyeBenchmark
import SockeyePlatform

/// A child process that runs ``BenchmarkServer``. It ends at the latest when this process ends.
struct ServerProcess {
    let greeting: ServerGreeting
    private let child: bench_child

    private static let startLimit = Duration.seconds(20)

    /// Starts the server and waits until it is ready.
    init(usesTLS: Bool) throws(ServerProcessError) {
        var child = bench_child()
        let code = unsafe bench_child_start(&child, "--serve", usesTLS ? "--tls" : nil)
        guard code == 0 else { throw ServerProcessError("cannot be started", SystemError(code)) }
        self.child = child
        do {
            greeting = try Self.greeting(of: child)
        } catch {
            bench_child_end(child)
            throw error
        }
    }

    /// Ends the process and waits for its end; kills a process that still runs after two seconds.
    func end() {
        bench_child_end(child)
    }

    private static func greeting(of child: bench_child) throws(ServerProcessError) -> ServerGreeting {
        var output = [CChar](repeating: 0, count: 64 << 10)
        let count = unsafe bench_child_read(child, &output, output.count, Int32(startLimit / .milliseconds(1)))
        if let error = SystemError(ofResult: count) { throw ServerProcessError("did not become ready", error) }
        let text = String(decoding: output[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard let greeting = ServerGreeting(text) else { throw ServerProcessError("ended before it was ready") }
        return greeting
    }
}

/// An error of a server process that failed to start.
struct ServerProcessError: Error, CustomStringConvertible {
    let description: String

    init(_ problem: String, _ error: SystemError? = nil) {
        description = "the server process \(problem)" + (error.map { ": \($0.text)" } ?? "")
    }
}
