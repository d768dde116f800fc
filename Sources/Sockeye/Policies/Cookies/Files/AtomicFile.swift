import Glibc

/// Writes small files that are either there as a whole or not at all, for their owner only.
enum AtomicFile {
    /// Into a file beside it first, which takes the place of the other once it is on the disk.
    static func write(_ contents: [UInt8], to path: String) throws(SockeyeError) {
        let draft = "\(path).\(UInt64.random(in: 0 ... .max)).tmp"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("create", draft) }
        do throws(SockeyeError) {
            try fill(descriptor, draft, contents)
            guard rename(draft, path) == 0 else { throw failure("replace", path) }
        } catch {
            unlink(draft)
            throw error
        }
        flushFolder(of: path)
    }

    private static func fill(_ descriptor: Int32, _ path: String, _ contents: [UInt8]) throws(SockeyeError) {
        defer { close(descriptor) }
        var rest = contents[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw failure("write", path)
            }
        }
        guard fsync(descriptor) == 0 else { throw failure("write", path) }
    }

    /// Not every file system lets a folder be flushed, and the file is in its place either way.
    private static func flushFolder(of path: String) {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    private static func failure(_ verb: String, _ path: String) -> SockeyeError {
        .cookieFile("cannot \(verb) \(path): \(String(cString: strerror(errno)))", nil)
    }
}
