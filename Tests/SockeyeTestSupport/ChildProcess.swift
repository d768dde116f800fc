import Foundation
import Glibc
import Synchronization

/// The process of an exit test and what it had to say, which would be lost with it: errors that are thrown there are shown
/// to nobody, and its output only where it ended as expected.
///
///     let child = ChildProcess()
///     await #expect(processExitsWith: .success, "\(child.report)") { [child = child as ChildProcess] in
///         await child.run(Soak.run)
///     }
package struct ChildProcess: Codable, Sendable {
    private static let current = Mutex<ChildProcess?>(nil)

    private let path: String

    package init() {
        path = FileManager.default.temporaryDirectory.appending(path: "sockeye-child-\(UUID().uuidString)").path()
    }

    /// Does the work of the process, of which there is one in each, and ends it.
    package func run(_ body: () async throws -> Void) async -> Never {
        Self.current.withLock { $0 = self }
        do {
            // What the runtime opens for its first timer stays open, and is not to be taken for a leak: a timer of the test's
            // own time limit may be the first.
            try await Task.sleep(for: .milliseconds(1))
            try await body()
            exit(EXIT_SUCCESS)
        } catch {
            say("failed: \(error)")
            // Most of what can go wrong leaves a trace there.
            say("open: \(Self.openDescriptors.joined(separator: ", "))")
            exit(EXIT_FAILURE)
        }
    }

    private static var openDescriptors: [String] {
        let folder = "/proc/self/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.sorted { (Int($0) ?? 0) < (Int($1) ?? 0) }.compactMap { name in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")).map { "\(name) \($0)" }
        }
    }

    private func say(_ text: String) {
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        let line = Array((text + "\n").utf8)
        _ = unsafe line.withUnsafeBytes { unsafe write(file, $0.baseAddress, $0.count) }
    }

    /// Says something to the parent.
    package static func say(_ text: String) {
        current.withLock(\.self)?.say(text)
    }

    /// Prints what the process said, if anything.
    package func show() {
        let report = report
        if !report.isEmpty { print(report) }
    }

    /// What the process said. To be read once.
    package var report: String {
        defer { unsafe unlink(path) }
        return (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }
}

/// A condition of a child process that did not hold.
package struct Unmet: Error, CustomStringConvertible {
    package let description: String

    package init(_ what: String) {
        description = "unmet: \(what)"
    }
}

package func demand(_ condition: Bool, _ what: @autoclosure () -> String) throws {
    if !condition { throw Unmet(what()) }
}
