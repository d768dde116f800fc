import BenchmarkKit
import Foundation

/// A client of this package, built on BenchmarkKit.
struct KitClient: Client {
    let name: String
    let program: URL
    var variant: String?
    var canUpload = true
    var trust = Trust.ownRoots

    func takesPart(in scenario: Scenario) -> Bool {
        switch (scenario.job, scenario.server) {
        case (.upload, _): canUpload
        case (_, .tls): trust == .ownRoots || Trust.canReplaceSystemRoots
        default: true
        }
    }

    func command(_ options: ClientOptions) -> (program: String, arguments: [String]) {
        var options = options
        options.variant = variant
        if trust == .systemRoots, let roots = options.roots {
            return Trust.replacingSystemRoots(with: roots, program.path, options.arguments)
        }
        return (program.path, options.arguments)
    }
}
