import Glibc
import Sockeye
import SockeyeCore
import SockeyeTesting

/// A file with the bytes of ``TestPattern``, for as long as somebody has it, and what can become of it meanwhile.
final class SentFile: Sendable {
    let path: String
    let count: Int

    struct Failure: Error {
        let call: String
        let code: Int32
    }

    /// Pages beyond `written` bytes are a hole: they read as zeros and cost no disk.
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

    /// All of it is the pattern.
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

    /// Shortens or lengthens it under whoever has it open.
    func resize(to count: Int) throws { try unsafe Self.check("truncate", truncate(path, off_t(count))) }

    func remove() throws { try unsafe Self.check("unlink", unlink(path)) }

    /// Puts another file with another length in its place, as programs that save their work do.
    func becomeAnother() throws {
        let other = try SentFile(count: count - 1)
        try unsafe Self.check("rename", rename(other.path, path))
    }

    /// Puts a named pipe that nobody writes to in its place.
    func becomePipe() throws {
        try remove()
        try unsafe Self.check("mkfifo", mkfifo(path, 0o600))
    }
}
