import BenchmarkKit
import Foundation

/// A process that runs a client once.
struct ClientProcess {
    private let client: any Client

    init(_ client: any Client) { self.client = client }

    /// Starts it and returns what it reports.
    func sample(_ options: ClientOptions) throws -> Sample {
        let (program, arguments) = client.command(options)
        let process = try ChildProcess(program, arguments)
        let isTimed = options.mode != .idleConnections && options.requests == .max
        let limit = isTimed ? options.seconds + options.warmup + 20 : 120
        guard let output = process.readAll(within: limit) else {
            throw BenchFailure("no result within \(Int(limit)) s")
        }
        let ending = process.end()
        guard ending.status == 0, let line = output.split(separator: "\n").last(where: { $0.hasPrefix("{") }) else {
            throw BenchFailure("ended with status \(ending.status) and no result")
        }
        let sample = try JSONDecoder().decode(Sample.self, from: Data(line.utf8))
        return client.complete(sample, with: ending)
    }
}
