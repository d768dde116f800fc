import BenchmarkKit
import Foundation

/// A client for counting allocations, instructions or system calls, which would disturb measurements of time.
struct CountedClient: Client {
    enum Counter: CaseIterable {
        /// Counted by a preloaded library.
        case allocations
        /// Counted by the processor.
        case instructions
        /// Counted by the kernel.
        case systemCalls
    }

    private static let library = RepositoryLayout.programs.appending(path: "libAllocationCounter.so").path
    private static let countedExec = RepositoryLayout.programs.appending(path: "counted-exec").path
    private let client: any Client
    private let counter: Counter

    /// True if the library that counts allocations was built.
    private static let hasLibrary = FileManager.default.fileExists(atPath: library)

    /// Makes a counted client; nil if the client does not support the counter. For wrk, which counts nothing itself,
    /// the kernel can still count system calls.
    init?(_ client: any Client, _ counter: Counter) {
        guard client is KitClient || counter == .systemCalls else { return nil }
        guard counter != .allocations || Self.hasLibrary else { return nil }
        self.client = client
        self.counter = counter
    }

    var name: String { client.name }

    func command(_ options: ClientOptions) -> (program: String, arguments: [String]) {
        var options = options
        options.countsInstructions = counter == .instructions
        let (program, arguments) = client.command(options)
        return switch counter {
        case .allocations: ("env", ["LD_PRELOAD=\(Self.library)", program] + arguments)
        case .instructions: (program, arguments)
        case .systemCalls: (Self.countedExec, [program] + arguments)
        }
    }

    func complete(_ sample: Sample, with ending: ChildProcess.Ending, output: String) -> Sample {
        var complete = client.complete(sample, with: ending, output: output)
        let line = output.split(separator: "\n").last { $0.hasPrefix("system calls ") }
        complete.systemCalls = line.flatMap { Int($0.dropFirst("system calls ".count)) }
        return complete
    }

    /// Counts in a separate short process; nil if that fails.
    ///
    /// System calls are those of a whole process, including its start and its connections. The difference of two
    /// processes of different lengths is that of the requests.
    func counted(_ options: ClientOptions, core: Int?) -> Sample? {
        guard counter == .systemCalls else { return try? ClientProcess(self, options, core: core).finish() }
        var (short, long) = (options, options)
        (short.warmup, long.warmup) = (0, 0)
        (short.seconds, long.seconds) = (options.seconds / 2, options.seconds * 2)
        if options.requests != .max { long.requests = options.requests * 3 }
        guard let first = try? ClientProcess(self, short, core: core).finish(), let before = first.systemCalls,
            var second = try? ClientProcess(self, long, core: core).finish(), let after = second.systemCalls,
            second.requests > first.requests
        else { return nil }
        second.requests -= first.requests
        second.systemCalls = after - before
        return second
    }
}
