import Foundation
import Synchronization

/// Runs the program TransferProbe and reads its report.
enum TransferProbe {
    struct Report: Decodable, Sendable, CustomStringConvertible {
        let bytes: Int
        let before: Int
        let peak: Int
        let seconds: Double
        let cpu: Double

        var description: String {
            let rate = Double(bytes) / seconds / 1e9
            let numbers = [rate, Double(peak - before) / 1024, Double(peak) / 1_048_576, cpu]
            let texts = numbers.map { String(format: "%.2f", $0) }
            return
                "\(texts[0]) GB/s, \(texts[1]) KiB above idle, \(texts[2]) MiB in all, \(texts[3]) s of processor time"
        }
    }

    /// The program is built in the same folder as the tests.
    static let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "TransferProbe")

    static func run(_ arguments: [String]) async throws -> Report {
        try JSONDecoder().decode(Report.self, from: Data(try await output(arguments).utf8))
    }

    /// Runs the program to its end and returns its output.
    static func output(_ arguments: [String]) async throws -> String {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        let status = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Int32, any Error>) in
                process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
                do { try process.run() } catch { continuation.resume(throwing: error) }
            }
        } onCancel: {
            if process.isRunning { process.terminate() }
        }
        // The output is a few lines, which fit into the pipe's buffer.
        let text = output.fileHandleForReading.readDataToEndOfFile()
        guard status == 0 else { throw ServerFailure("TransferProbe ended with \(status)") }
        return String(decoding: text, as: UTF8.self)
    }
}
