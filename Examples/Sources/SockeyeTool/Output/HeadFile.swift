import Foundation
import Glibc
import Sockeye
import SockeyeToolKit

/// The file of `--dump-header`: emptied for the first response, and kept open for the heads of further URLs.
final class HeadFile {
    private let path: String
    private let output: OutputArguments
    private var handle: FileHandle?

    init(_ path: String, _ output: OutputArguments) {
        self.path = path
        self.output = output
    }

    /// Adds a head to the file.
    func write(_ head: String) throws {
        guard let handle = opened(), (try? handle.write(contentsOf: Data(head.utf8))) != nil else {
            var facts = FailureFacts(.fileFailed, in: .head)
            facts.message = "\(path) cannot be written"
            throw CommandFailure(facts, output)
        }
    }

    private func opened() -> FileHandle? {
        if let handle { return handle }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { return nil }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        return handle
    }
}
