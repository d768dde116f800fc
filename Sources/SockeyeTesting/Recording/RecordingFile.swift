import Sockeye
import SockeyeEssentials

/// The reading and writing of recording files.
enum RecordingFile {
    /// Reads a recording.
    ///
    /// - Parameter isNeeded: True if a missing file is an error; otherwise it counts as an empty recording.
    static func read(_ path: String, isNeeded: Bool) throws -> [RecordedExchange] {
        guard FileManager.default.fileExists(atPath: path) else {
            guard isNeeded else { return [] }
            throw TestServerError(
                .badRecording, "there is no recording at \(path); run the test once with SOCKEYE_RECORD=all to make it")
        }
        let bytes: Data
        do {
            bytes = try Data(contentsOf: URL(filePath: path))
        } catch {
            throw TestServerError(.badRecording, "\(path) cannot be read: \(error)")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw TestServerError(.badRecording, "\(path) is not UTF-8")
        }
        do {
            return try RecordingReader.exchanges(in: text)
        } catch let error as TestServerError {
            throw TestServerError(error.code, "\(path): \(error.message)")
        }
    }

    /// Replaces the file with a new one that only its owner can read (mode 0600). If writing fails, the old file is
    /// kept.
    static func write(_ exchanges: [RecordedExchange], to path: String) throws {
        let url = URL(filePath: path)
        do {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try TemporaryFile.replace(path, by: Bytes(RecordingWriter.text(exchanges)))
        } catch {
            throw TestServerError(.badRecording, "\(path) cannot be written: \(error)")
        }
    }
}
