import BenchmarkKit
import Foundation

/// A client with the library loaded that counts its allocations.
struct CountedClient: Client {
    private static let library = RepositoryLayout.programs.appending(path: "libAllocationCounter.so").path
    private let client: any Client

    /// Whether the library was built.
    static let isAvailable = FileManager.default.fileExists(atPath: library)

    init(_ client: any Client) { self.client = client }

    var name: String { client.name }

    func command(_ options: ClientOptions) -> (program: String, arguments: [String]) {
        let (program, arguments) = client.command(options)
        return ("env", ["LD_PRELOAD=\(Self.library)", program] + arguments)
    }
}
