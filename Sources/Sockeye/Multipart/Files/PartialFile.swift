import Glibc
import SockeyeCore

/// A file that is being written beside the one that it will replace. Every call blocks.
///
/// Until ``replace()`` nobody sees it under the name that is wanted; what was there stays. Dropped before, it is removed.
final class PartialFile: Sendable {
    private let descriptor: Int32
    private let path: String
    /// What it will replace, and what errors are about.
    private let target: String

    init(beside target: String) throws(FileError) {
        try FilePath.check(target, .replace)
        let folder = FilePath.folder(of: target)
        let number = String(UInt64.random(in: .min ... .max), radix: 36)
        // Not made of the target's name, which may be as long as names can be.
        path = (folder.hasSuffix("/") ? folder : folder + "/") + ".sockeye-\(number).partial"
        self.target = target
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw FileError("create", target, errno) }
    }

    deinit {
        close(descriptor)
        remove()
    }

    /// Does nothing when it has its name, for then there is no such file any more.
    func remove() {
        unlink(path)
    }

    /// Appends all of the bytes.
    func write(_ bytes: Bytes) throws(FileError) {
        var written = 0
        while written < bytes.count {
            let result = bytes.slice(written..<bytes.count).withUnsafeBytes { bytes in
                Glibc.write(descriptor, bytes.baseAddress, bytes.count)
            }
            if result > 0 {
                written += result
            } else if result == 0 || errno != EINTR {
                throw FileError("write", target, result == 0 ? ENOSPC : errno)
            }
        }
    }

    /// Brings everything to the disk.
    func synchronize() throws(FileError) {
        guard fsync(descriptor) == 0 else { throw FileError("write", target, errno) }
    }

    /// Gives the file its name, at once.
    func replace() throws(FileError) {
        guard rename(path, target) == 0 else { throw FileError("replace", target, errno) }
    }

    /// Brings the name to the disk, too. Not every file system can; the content is safe in any case.
    func synchronizeFolder() {
        let descriptor = open(FilePath.folder(of: target), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
