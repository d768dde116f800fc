import Foundation
import Glibc
import SockeyeToolKit
import Synchronization

/// Standard input, output and error of a run. Tests run commands in their own process, with files instead.
struct StandardStreams: Sendable {
    let input: StandardInput
    let output: Terminal
    let error: Terminal

    init(input: Int32, output: Int32, error: Int32) {
        self.input = StandardInput(descriptor: input)
        self.output = Terminal(descriptor: output)
        self.error = Terminal(descriptor: error)
    }

    /// The streams of the current run; by default those of the process.
    @TaskLocal static var current = StandardStreams(input: STDIN_FILENO, output: STDOUT_FILENO, error: STDERR_FILENO)
}

/// Standard input. Its content is read once, so that requests to several URLs send the same.
final class StandardInput: Sendable {
    /// The maximum of bytes of files and standard input that are held in memory.
    private static let memoryLimit = 64 << 20

    private let descriptor: Int32
    private let cached = Mutex<[UInt8]?>(nil)

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// True if standard input is a file or a pipe. A terminal and a device such as /dev/null have no content to send.
    var isContent: Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return false }
        return [S_IFREG, S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
    }

    /// Returns the content of a file, or of standard input for `-`.
    ///
    /// - Throws: A `UsageFault` if it cannot be read or has more than 64 MiB.
    func content(of path: String) throws -> [UInt8] {
        guard path == "-" else {
            guard let handle = FileHandle(forReadingAtPath: path) else { throw UnreadableFile(path: path) }
            return try Self.read(handle, path)
        }
        return try cached.withLock { cached in
            if let cached { return cached }
            let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
            let bytes = try Self.read(handle, "standard input")
            cached = bytes
            return bytes
        }
    }

    /// The content of standard input piece by piece. Each read blocks a thread of its own.
    func pieces() -> AsyncStream<[UInt8]> {
        let descriptor = descriptor
        return AsyncStream {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
                    let piece = try? handle.read(upToCount: 1 << 16)
                    continuation.resume(returning: piece.flatMap { $0.isEmpty ? nil : Array($0) })
                }
            }
        }
    }

    private static func read(_ handle: FileHandle, _ name: String) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let piece = try? handle.read(upToCount: 1 << 16), !piece.isEmpty {
            bytes += piece
            guard bytes.count <= memoryLimit else {
                throw UsageFault("\(name) has more than 64 MiB: --upload-file streams")
            }
        }
        return bytes
    }
}

/// An error: a file that belongs to the request cannot be read.
struct UnreadableFile: Error, CustomStringConvertible {
    let path: String

    var description: String { "\(path) cannot be read" }
}
