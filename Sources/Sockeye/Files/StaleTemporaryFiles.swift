import Glibc
import SockeyeEngine

/// Removal of the temporary files that killed processes left in a folder: files with a name and owner of ours that
/// nobody has locked, and nobody has written to for a while.
enum StaleTemporaryFiles {
    /// Returns the paths of what was removed.
    static func remove(
        in folder: String, olderThan age: Duration, except names: Set<String>
    ) throws(FileError) -> [String] {
        let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError("open", folder, errno) }
        let handle = FileHandle(owning: descriptor)
        let oldest = time(nil) - time_t(clamping: age.components.seconds)
        let prefix = folder.hasSuffix("/") ? folder : folder + "/"
        return try self.names(in: folder).filter { name in
            TemporaryFile.isName(name) && !names.contains(name) && remove(name, in: handle, before: oldest)
        }.map { prefix + $0 }
    }

    private static func names(in folder: String) throws(FileError) -> [String] {
        guard let stream = unsafe opendir(folder) else { throw FileError("open", folder, errno) }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            names.append(name)
        }
        return names
    }

    /// Everything by the open folder and the open file: a path may lead elsewhere a moment later.
    private static func remove(_ name: String, in folder: FileHandle, before oldest: time_t) -> Bool {
        let descriptor = unsafe openat(folder.descriptor, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        let file = FileHandle(owning: descriptor)
        guard (try? file.lock(name)) != nil, let status = try? file.status(name),
            (try? TemporaryFile.checkOrigin(of: status, name)) != nil, status.st_mtim.tv_sec <= oldest
        else { return false }
        var there = stat()
        guard unsafe fstatat(folder.descriptor, name, &there, AT_SYMLINK_NOFOLLOW) == 0,
            FileIdentity(there) == FileIdentity(status)
        else { return false }
        return unsafe unlinkat(folder.descriptor, name, 0) == 0
    }
}
