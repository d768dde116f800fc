import Foundation
import Glibc

/// One of the two streams to a person or a program.
struct Terminal: Sendable {
    static let output = Terminal(descriptor: STDOUT_FILENO)
    static let error = Terminal(descriptor: STDERR_FILENO)

    /// Whether a person is looking, rather than a file or a pipe.
    let isInteractive: Bool
    private let handle: FileHandle

    private init(descriptor: Int32) {
        isInteractive = isatty(descriptor) == 1
        handle = FileHandle(fileDescriptor: descriptor)
    }

    func print(_ line: String) {
        write(Data("\(line)\n".utf8))
    }

    func write(_ data: Data) {
        try? handle.write(contentsOf: data)
    }
}
