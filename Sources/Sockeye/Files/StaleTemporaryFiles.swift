import SockeyeCore
import SockeyeEngine
import SockeyePlatform

/// Removal of the temporary files that killed processes left in a folder: files with a name and owner of ours that
/// nobody has locked, and nobody has written to for a while.
enum StaleTemporaryFiles {
    /// Returns the paths of what was removed.
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

    /// Everything by the open folder and the open file: a path may lead elsewhere a moment later.
    private static func remove(_ name: String, in folder: FileHandle, before oldest: Int64) -> Bool {
        guard let file = try? FileHandle(opening: name, in: folder, for: .readingNoLink),
            (try? file.lock(name)) != nil, let status = try? file.status(name),
            (try? TemporaryFile.checkOrigin(of: status, name)) != nil, status.modified.seconds <= oldest,
            SystemFile.entryStatus(of: name, in: folder.descriptor)?.identity == status.identity
        else { return false }
        return SystemFile.remove(name, in: folder.descriptor) == nil
    }
}
