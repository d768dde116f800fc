import BenchmarkKit
import Foundation

/// A client while something of it is counted that would disturb what time shows.
struct CountedClient: Client {
    enum Counter {
        /// By a library that is loaded into it.
        case allocations
        /// By the processor.
        case instructions
    }

    private static let library = RepositoryLayout.programs.appending(path: "libAllocationCounter.so").path
    private let client: any Client
    private let counter: Counter

    /// Whether the library was built.
    private static let hasLibrary = FileManager.default.fileExists(atPath: library)

    /// Nil if the client cannot tell.
    init?(_ client: any Client, _ counter: Counter) {
        guard client is KitClient, counter == .instructions || Self.hasLibrary else { return nil }
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
        }
    }
}
