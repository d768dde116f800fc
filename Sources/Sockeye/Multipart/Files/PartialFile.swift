import Glibc
import SockeyeCore

/// A file that is being written beside the one that it will replace. Every call blocks.
///
/// Until ``commit(to:)`` nobody sees it under the name that is wanted; what was there stays. Dropped before, it is removed.
final class PartialFile: Sendable {
    private let descriptor: Int32
    private let path: String

    /// The name of a system call that failed, and why.
    struct Failure: Error {
        let call: String
        let code: Int32
    }

    init(beside target: String) throws(Failure) {
        let suffix = UInt64.random(in: .min ... .max)
        path = "\(target).\(String(suffix, radix: 36)).partial"
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw Failure(call: "cannot create", code: errno) }
    }

    deinit {
        close(descriptor)
        // Fails after a commit, when there is no such file any more.
        unlink(path)
    }

    /// Appends all of the bytes.
    func write(_ bytes: Bytes) throws(Failure) {
        var written = 0
        while written < bytes.count {
            let result = bytes.slice(written..<bytes.count).withUnsafeBytes { bytes in
                Glibc.write(descriptor, bytes.baseAddress, bytes.count)
            }
            if result > 0 {
                written += result
            } else if result == 0 || errno != EINTR {
                throw Failure(call: "cannot write", code: result == 0 ? ENOSPC : errno)
            }
        }
    }

    /// Brings everything to the disk and then gives the file its name, at once.
    func commit(to target: String) throws(Failure) {
        guard fsync(descriptor) == 0 else { throw Failure(call: "cannot write", code: errno) }
        guard rename(path, target) == 0 else { throw Failure(call: "cannot replace", code: errno) }
        syncFolder(of: target)
    }

    /// Brings the name to the disk, too. Not every file system can; the content is safe in any case.
    private func syncFolder(of target: String) {
        let end = target.lastIndex(of: "/")
        let folder = end.map { $0 == target.startIndex ? "/" : String(target[..<$0]) } ?? "."
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
