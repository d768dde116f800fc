import BenchmarkKit
import Foundation

/// A client of this package, built on BenchmarkKit.
struct KitClient: Client {
    /// Which bodies the library can send.
    enum Uploads {
        case all, onlyFiles
    }

    let name: String
    let program: URL
    var variant: String?
    var uploads = Uploads.all
    var decodesJSON = true
    /// The purposes of the scenarios in which it takes part.
    var purposes: [Scenario.Purpose] = [.comparison]
    /// Scenarios that the library cannot do for a reason of its own.
    var leavesOut: (Scenario) -> Bool = { _ in false }
    var trust = Trust.ownRoots

    func takesPart(in scenario: Scenario) -> Bool {
        if scenario.usesTLS, trust == .systemRoots, !Trust.canReplaceSystemRoots { return false }
        if leavesOut(scenario) { return false }
        guard purposes.contains(scenario.purpose) else { return false }
        return switch scenario.job {
        case .get: true
        case .json: decodesJSON
        case .upload: uploads == .all || scenario.uploadedFile != nil
        case .form: uploads == .all
        }
    }

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
