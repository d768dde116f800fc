import Foundation
import Glibc
import SockeyeToolKit
import Synchronization

/// Standard input, and the files that belong to a request.
///
/// Content that can be read only once, as that of pipes, is kept, so that requests to several URLs send the same.
final class StandardInput: Sendable {
    /// The maximum of bytes of files and standard input that are held in memory.
    private static let memoryLimit = 64 << 20

    private let descriptor: Int32
    /// The content of standard input and of pipes, by path.
    private let cached = Mutex<[String: [UInt8]]>([:])

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// True if standard input is a file or a pipe. A terminal and a device such as /dev/null have no content to send.
    var isContent: Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return false }
        return [S_IFREG, S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
    }

    /// True for standard input, and for pipes and devices, such as the path of a process substitution. The library
    /// sends only regular files as files.
    static func isStream(_ path: String) -> Bool {
        if path == "-" { return true }
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        return [S_IFIFO, S_IFCHR].contains(status.st_mode & S_IFMT)
    }

    /// Returns the content of a file, or of standard input for `-`.
    ///
    /// - Throws: ``UnreadableFile``, or a `UsageFault` for more than 64 MiB.
    func content(of path: String) throws -> [UInt8] {
        guard Self.isStream(path) else { return try Self.content(of: reader(of: path), path) }
        return try cached.withLock { cached in
            if let content = cached[path] { return content }
            let content = try Self.content(of: reader(of: path), path == "-" ? "standard input" : path)
            cached[path] = content
            return content
        }
    }

    /// The content of standard input, a pipe or a device piece by piece. Each read blocks a thread of its own.
    func pieces(of path: String) -> AsyncThrowingStream<[UInt8], any Error> {
        let reader = reader(of: path)
        return AsyncThrowingStream(unfolding: {
            let piece = try await withCheckedThrowingContinuation { continuation in
                Thread.detachNewThread { continuation.resume(with: Result { try reader.read() }) }
            }
            return piece.isEmpty ? nil : piece
        })
    }

    private func reader(of path: String) -> InputReader {
        path == "-" ? InputReader(descriptor: descriptor, name: "standard input") : InputReader(path: path)
    }

    private static func content(of reader: InputReader, _ name: String) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let piece = try reader.read()
            guard !piece.isEmpty else { return bytes }
            bytes += piece
            guard bytes.count <= memoryLimit else {
                throw UsageFault("\(name) has more than 64 MiB: --upload-file streams")
            }
        }
    }
}
