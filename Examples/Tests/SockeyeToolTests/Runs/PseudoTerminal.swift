import Foundation
import Glibc

/// A pseudo-terminal of a test, which reads the output of a run.
final class PseudoTerminal: Sendable {
    struct Failure: Error {}

    /// The program's side of the terminal.
    let handle: FileHandle
    private let descriptor: Int32

    init(columns: Int) throws {
        // Uses ioctls of pts(4), because feature macros hide Glibc's functions from Swift.
        descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure() }
        var (lock, number) = (CInt(0), CInt(0))
        let (setLock, getNumber) = (UInt(0x4004_5431), UInt(0x8004_5430))  // TIOCSPTLCK, TIOCGPTN
        guard ioctl(descriptor, setLock, &lock) == 0, ioctl(descriptor, getNumber, &number) == 0 else {
            throw Failure()
        }
        let other = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard other >= 0 else { throw Failure() }
        handle = FileHandle(fileDescriptor: other, closeOnDealloc: true)
        resize(to: columns)
    }

    deinit { close(descriptor) }

    func resize(to columns: Int) {
        var size = winsize(ws_row: 24, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(descriptor, UInt(TIOCSWINSZ), &size)
    }

    /// The output piece by piece, until every program has closed its side. Call this once.
    func pieces() -> AsyncStream<String> {
        try? handle.close()
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        let descriptor = descriptor
        Thread.detachNewThread { [self] in
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = read(descriptor, &buffer, buffer.count)
                // EIO: no program has the other side open.
                guard count > 0 else { break }
                continuation.yield(String(decoding: buffer[..<count], as: UTF8.self))
            }
            continuation.finish()
            withExtendedLifetime(self) {}
        }
        return stream
    }

    func text() async -> String {
        var text = ""
        for await piece in pieces() { text += piece }
        return text
    }
}
