#if DiskCache
import Foundation

/// Runs the program `DiskCacheProbe`, which is built beside the tests.
enum DiskCacheProbe {
    struct Failure: Error {
        let what: String
    }

    struct Report: Decodable, Sendable, CustomStringConvertible {
        let bytes: Int
        /// The peak memory in bytes, in addition to that of a small transfer.
        let additional: Int
        let heap: Int
        let plainWrite: Double
        let plainRead: Double
        let storeWrite: Double
        let storeRead: Double

        var description: String {
            func rate(_ seconds: Double) -> String { String(format: "%.0f MB/s", Double(bytes) / seconds / 1e6) }
            let memory = String(format: "%.2f MiB", Double(additional) / 1_048_576)
            return
                "\(bytes >> 20) MiB: written at \(rate(storeWrite)), a plain file at \(rate(plainWrite)); read at \(rate(storeRead)), a plain file at \(rate(plainRead)); \(memory) of memory above idle"
        }
    }

    static let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "DiskCacheProbe")

    static func transfer(_ folder: String, _ bytes: Int) throws -> Report {
        let process = Process()
        process.executableURL = program
        process.arguments = ["transfer", folder, String(bytes)]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(what: "ended with \(process.terminationStatus)") }
        return try JSONDecoder().decode(Report.self, from: text)
    }
}
#endif
