import Glibc
import Sockeye
import SockeyeCore
import SockeyeTesting

/// A temporary file with the bytes of ``TestPattern``, deleted with its last reference. It can be changed while it is
/// sent.
final class SentFile: Sendable {
    let path: String
    let count: Int

    struct Failure: Error {
        let call: String
        let code: Int32
    }

    /// Makes a file. Bytes after the first `written` are a hole: they read as zeros and use no disk space.
    init(count: Int, written: Int = 0) throws {
        var template = Array("/tmp/sockeye-XXXXXX".utf8CString)
        let descriptor = unsafe mkstemp(&template)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        self.count = count
        try Self.check("mkstemp", descriptor)
        defer { close(descriptor) }
        var offset = 0
        while offset < min(written, count) {
            let bytes = TestPattern.bytes(at: offset, upTo: min(written, count) - offset)
            let result = unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
            try Self.check("write", Int32(clamping: result))
            offset += result
        }
        try Self.check("ftruncate", ftruncate(descriptor, off_t(count)))
    }

    /// Makes a file with the pattern in all of its bytes.
    convenience init(pattern count: Int) throws {
        try self.init(count: count, written: count)
    }

    deinit {
        unsafe unlink(path)
    }

    private static func check(_ call: String, _ result: Int32) throws {
        if result < 0 { throw Failure(call: call, code: errno) }
    }

    func body() throws -> OutgoingRequest.Body { try .file(path) }

    /// Shortens or lengthens the file while other code has it open.
    func resize(to count: Int) throws { try unsafe Self.check("truncate", truncate(path, off_t(count))) }

    func remove() throws { try unsafe Self.check("unlink", unlink(path)) }

    /// Replaces the file with another one of a different length, as editors do when they save.
    func becomeAnother() throws {
        let other = try SentFile(count: count - 1)
        try unsafe Self.check("rename", rename(other.path, path))
    }

    /// Replaces the file with a named pipe that has no writer.
    func becomePipe() throws {
        try remove()
        try unsafe Self.check("mkfifo", mkfifo(path, 0o600))
    }
}
