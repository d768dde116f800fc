import SockeyeCore
import SockeyeEngine
import SockeyePlatform

/// Removes temporary files that remained in a folder, for example because the process that wrote them was killed.
///
/// A file is removed only if its name has the form that this library uses, it belongs to this process's user, it is not
/// locked, and it was not written to for a given time.
enum StaleTemporaryFiles {
    /// Removes the files and returns their paths.
    static func remove(
        in folder: String, olderThan age: Duration, except names: Set<String>
    ) throws(FileError) -> [String] {
        let handle = try FileHandle(opening: folder, for: .folder)
        let oldest = SystemClock.unixTime - age.clampedNanoseconds / 1_000_000_000
        let prefix = folder.hasSuffix("/") ? folder : folder + "/"
        return try self.names(in: folder).filter { name in
            TemporaryFile.isName(name) && !names.contains(name) && remove(name, in: handle, before: oldest)
        }.map { prefix + $0 }
    }

    private static func names(in folder: String) throws(FileError) -> [String] {
        do { return try SystemFile.names(in: folder) } catch { throw FileError("open", folder, error) }
    }

    /// Removes a file unless it was written to after `oldest`, is locked, or was not created by this library. Returns
    /// true if the file was removed.
    ///
    /// All checks use the open file, because its name may lead to another file a moment later. The name is removed only
    /// if it still leads to the open file. This function does not lock a file that was written to after `oldest`,
    /// because the lock would keep a download from resuming the file.
    private static func remove(_ name: String, in folder: FileHandle, before oldest: Int64) -> Bool {
        guard let file = try? FileHandle(opening: name, in: folder, for: .readingNoLink),
            let unlocked = try? file.status(name), unlocked.modified.seconds <= oldest,
            (try? file.lock(name)) != nil, let status = try? file.status(name),
            (try? TemporaryFile.checkOrigin(of: status, name)) != nil, status.modified.seconds <= oldest,
            SystemFile.entryStatus(of: name, in: folder.descriptor)?.identity == status.identity
        else { return false }
        return SystemFile.remove(name, in: folder.descriptor) == nil
    }
}
