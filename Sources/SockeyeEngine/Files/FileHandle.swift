import SockeyeCore
package import SockeyePlatform
import Synchronization

/// An open file, closed with the last reference.
package final class FileHandle: Sendable {
    package let descriptor: Int32
    /// The path that was passed to ``leave(_:)``; nil before that call.
    private let leftPath = Mutex<String?>(nil)

    /// - Parameters:
    ///   - folder: The open folder at which a relative `path` starts, even if the folder was renamed or replaced since;
    ///     nil for the working folder.
    ///   - mode: The permissions of a new file, before the process's umask applies.
    package init(
        opening path: String, in folder: FileHandle? = nil, for access: FileAccess, mode: UInt32 = 0o600
    ) throws(FileError) {
        do throws(SystemError) {
            let folder = folder?.descriptor ?? SystemFile.workingFolder
            descriptor = try SystemFile.open(path, in: folder, for: access, mode: mode)
        } catch {
            throw FileError("open", path, error)
        }
    }

    /// A duplicate of a descriptor that the caller does not own: the same open file, including position and flags.
    ///
    /// - Parameter name: The name for errors.
    init(duplicating other: Int32, _ name: String) throws(FileError) {
        do { descriptor = try SystemFile.duplicate(other) } catch { throw FileError("write to", name, error) }
    }

    /// Opens the same pipe or device a second time, so that the new descriptor has separate flags. Fails if the system
    /// lacks ``SystemFeature/reopening``.
    init(reopening other: FileHandle, for access: FileAccess, _ name: String) throws(FileError) {
        do throws(SystemError) {
            descriptor = try SystemFile.reopen(other.descriptor, for: access)
        } catch {
            throw FileError("open", name, error)
        }
    }

    deinit {
        SystemFile.close(descriptor)
        if let path = leftPath.withLock(\.self) { ClosingFiles.end(path) }
    }

    /// Records that the file and its lock will be free as soon as the last operation has ended; see ``ClosingFiles``.
    package func leave(_ path: String) {
        leftPath.withLock { left in
            guard left == nil else { return }
            left = path
            ClosingFiles.begin(path)
        }
    }

    /// - Parameter path: The name for errors.
    package func status(_ path: String) throws(FileError) -> FileStatus {
        do { return try SystemFile.status(of: descriptor) } catch { throw FileError("examine", path, error) }
    }

    /// Locks the file against other handles that lock it (flock(2)), for as long as this handle is open.
    ///
    /// - Parameter path: The name for errors.
    /// - Throws: ``FileError`` with `EWOULDBLOCK` if another handle has locked the file.
    package func lock(_ path: String) throws(FileError) {
        // Other errors are ignored, such as that of a file system without locks.
        if SystemFile.lock(descriptor) == .wouldBlock { throw FileError("lock", path, .wouldBlock) }
    }
}

/// The files that are no longer used but that a disk thread still holds open. If a download is paused or cancelled, a
/// disk operation that is already running continues. The file stays locked until the operation returns. A task that
/// opens such a file again waits for the operation instead of failing.
package enum ClosingFiles {
    private struct Entry {
        var handles = 0
        let closing = OneShotEvent()
    }

    private static let entries = Mutex<[BytewiseText: Entry]>([:])

    static func begin(_ path: String) {
        let key = BytewiseText(path)
        entries.withLock { $0[key, default: Entry()].handles += 1 }
    }

    static func end(_ path: String) {
        let key = BytewiseText(path)
        let closing = entries.withLock { entries -> OneShotEvent? in
            guard var entry = entries[key] else { return nil }
            entry.handles -= 1
            entries[key] = entry.handles > 0 ? entry : nil
            return entry.handles > 0 ? nil : entry.closing
        }
        closing?.happen()
    }

    /// True if the file is about to be closed.
    package static func contains(_ path: String) -> Bool { entries.withLock { $0[BytewiseText(path)] != nil } }

    /// Waits until the file is closed or the task is cancelled. Returns false at once if the file is not about to be
    /// closed.
    package static func wait(for path: String) async -> Bool {
        guard let closing = entries.withLock({ $0[BytewiseText(path)]?.closing }) else { return false }
        await closing.wait()
        return true
    }
}
