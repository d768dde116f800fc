import Foundation
import Glibc
import Synchronization

/// The process of an exit test, with a report that would otherwise be lost. Errors thrown in that process are never
/// shown, and its output is shown only if the process ended as expected.
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

    /// Runs the body of the child process and ends the process. Called once in each process.
    package func run(_ body: () async throws -> Void) async -> Never {
        Self.current.withLock { $0 = self }
        do {
            try await Self.openTimers()
            try await body()
            exit(EXIT_SUCCESS)
        } catch {
            say("failed: \(error)")
            // The open descriptors help to find the cause of most failures.
            say("open: \(Self.openDescriptors.joined(separator: ", "))")
            exit(EXIT_FAILURE)
        }
    }

    /// Lets the runtime open its descriptors for timers, one for each clock. They stay open and must not count as a
    /// leak: that of the test's time limit may otherwise be opened while descriptors are counted.
    ///
    /// A timer that is already due when it is set opens none, so on a busy machine a longer one follows.
    private static func openTimers() async throws {
        var length = Duration.milliseconds(1)
        while length < .seconds(2), openDescriptors.count(where: { $0.contains("timerfd") }) < 2 {
            try await Task.sleep(for: length, clock: .continuous)
            try await Task.sleep(for: length, clock: .suspending)
            length *= 2
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

    /// Reports a line to the parent process.
    package static func say(_ text: String) {
        current.withLock(\.self)?.say(text)
    }

    /// Prints the report if it is not empty.
    package func show() {
        let report = report
        if !report.isEmpty { print(report) }
    }

    /// The report of the process. Reading it deletes it.
    package var report: String {
        defer { unsafe unlink(path) }
        return (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }
}

/// An error for a condition that did not hold in a child process.
package struct UnmetCondition: Error, CustomStringConvertible {
    package let description: String

    package init(_ what: String) {
        description = "unmet: \(what)"
    }
}

package func demand(_ condition: Bool, _ what: @autoclosure () -> String) throws {
    if !condition { throw UnmetCondition(what()) }
}
