import BenchmarkKit
import Foundation

/// A process that runs a client, once or in turns.
final class ClientProcess {
    private let client: any Client
    private let options: ClientOptions
    private let process: ChildProcess

    /// Starts the process.
    ///
    /// - Parameter core: The only core that it may use; nil for all cores.
    init(_ client: any Client, _ options: ClientOptions, core: Int?) throws {
        self.client = client
        self.options = options
        let (program, arguments) = client.command(options)
        process = try ChildProcess(program, arguments, core: core)
    }

    /// Waits until the warm-up is finished.
    func getReady() throws {
        // If the number of requests is limited, the warm-up ends after them.
        let warmup = options.requests == .max ? options.warmup : 60
        guard process.readLine(within: warmup + 20) == "ready" else {
            throw failure("the client did not finish its warm-up")
        }
    }

    /// Makes the process take a turn, and returns its sample.
    func takeTurn() throws -> Sample {
        guard process.nudge(), let line = process.readLine(within: limit) else {
            throw failure("the client did not finish its turn")
        }
        return try decode(line)
    }

    /// Ends the process, and returns its sample about all turns.
    func finish() throws -> Sample {
        process.closeInput()
        guard let output = process.readAll(within: limit) else {
            throw BenchFailure("the client reported no result within \(Int(limit)) s")
        }
        let ending = process.end()
        guard ending.status == 0, let line = output.split(separator: "\n").last(where: { $0.hasPrefix("{") }) else {
            throw BenchFailure("the client ended with status \(ending.status) and without a result")
        }
        return client.complete(try decode(String(line)), with: ending, output: output)
    }

    /// The seconds to wait for an output of the process.
    private var limit: Double {
        let isTimed = options.mode != .idleConnections && options.requests == .max
        return isTimed ? options.seconds + options.warmup + 20 : 120
    }

    private func decode(_ line: String) throws -> Sample {
        try JSONDecoder().decode(Sample.self, from: Data(line.utf8))
    }

    private func failure(_ what: String) -> BenchFailure {
        BenchFailure("\(what) (its process ended with status \(process.end(signal: SIGKILL).status))")
    }
}
