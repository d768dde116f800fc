import BenchmarkKit
import Foundation

/// A client with the command-line protocol of BenchmarkKit; most of these clients use BenchmarkKit.
struct KitClient: Client {
    let name: String
    let program: URL
    var variant: String?
    /// The abilities of the client, as it is used here.
    var abilities = Set(Scenario.Need.allCases)
    /// The purposes of the scenarios in which it takes part.
    var purposes: [Scenario.Purpose] = [.comparison]
    /// Returns true for scenarios that the library cannot run for another reason.
    var leavesOut: (Scenario) -> Bool = { _ in false }
    var trust = Trust.ownRoots

    func takesPart(in scenario: Scenario) -> Bool {
        if scenario.usesTLS, trust == .systemRoots, !Trust.canReplaceSystemRoots { return false }
        if leavesOut(scenario) { return false }
        return purposes.contains(scenario.purpose) && scenario.needs.isSubset(of: abilities)
    }

    /// True if its program was built; programs in other languages need their compilers.
    var isBuilt: Bool { FileManager.default.isExecutableFile(atPath: program.path) }

    func command(_ options: ClientOptions) -> (program: String, arguments: [String]) {
        var options = options
        options.variant = variant
        var (program, arguments) = (program.path, options.arguments)
        if options.mode == .firstRequest {
            let stamp = self.program.deletingLastPathComponent().appending(path: "stamped-exec")
            (program, arguments) = (stamp.path, [program] + arguments)
        }
        if trust == .systemRoots, let roots = options.roots {
            return Trust.replacingSystemRoots(with: roots, program, arguments)
        }
        return (program, arguments)
    }
}
