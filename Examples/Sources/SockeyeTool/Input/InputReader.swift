import Glibc
import Synchronization

/// A file, pipe or device that is read from start to end, also if it is non-blocking.
final class InputReader: Sendable {
    private static let pieceSize = 1 << 16

    private let name: String
    /// The path to open; nil if another owner has opened the descriptor.
    private let path: String?
    /// The open descriptor; nil before the first read.
    private let opened: Mutex<Int32?>

    /// Opens the path at the first read: opening a pipe waits for a writer.
    init(path: String) {
        name = path
        self.path = path
        opened = Mutex(nil)
    }

    /// - Parameter name: The name for errors.
    init(descriptor: Int32, name: String) {
        self.name = name
        path = nil
        opened = Mutex(descriptor)
    }

    deinit {
        if path != nil, let descriptor = opened.withLock({ $0 }) { close(descriptor) }
    }

    /// Returns the next bytes; empty at the end. Blocks the thread.
    ///
    /// - Throws: ``UnreadableFile``.
    func read() throws -> [UInt8] {
        let descriptor = try descriptor()
        while true {
            var failure: Int32 = 0
            let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { buffer, count in
                let result = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                failure = result < 0 ? errno : 0
                count = max(0, result)
            }
            switch failure {
            case 0: return piece
            case EINTR: continue
            case EAGAIN: Readiness.readable.wait(for: descriptor)
            default: throw UnreadableFile(path: name, code: failure)
            }
        }
    }

    private func descriptor() throws -> Int32 {
        try opened.withLock { opened in
            if let opened { return opened }
            let descriptor = open(name, O_RDONLY | O_NOCTTY | O_CLOEXEC)
            guard descriptor >= 0 else { throw UnreadableFile(path: name, code: errno) }
            opened = descriptor
            return descriptor
        }
    }
}

/// An error: a file that belongs to the request cannot be read.
struct UnreadableFile: Error, CustomStringConvertible {
    let path: String
    /// The error number of the system.
    let code: Int32

    var description: String { "\(path) cannot be read: \(String(cString: strerror(code)))" }
}
