package import SockeyePlatform
import Synchronization

/// An open file, closed with the last reference.
package final class FileHandle: Sendable {
    package let descriptor: Int32
    /// The path, set when the users of the file have left it and only an abandoned disk operation may still hold it
    /// open.
    private let leftPath = Mutex<String?>(nil)

    /// - Parameters:
    ///   - folder: The folder in which a name is looked up, regardless of the folder's present path.
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

    /// Opens the same pipe or device a second time, with flags of its own.
    init(reopening other: FileHandle, for access: FileAccess, _ name: String) throws(FileError) {
        do throws(SystemError) {
            descriptor = try SystemFile.open("/proc/self/fd/\(other.descriptor)", for: access)
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

    /// Locks the file against other openers for as long as this handle is open.
    ///
    /// - Parameter path: The name for errors.
    /// - Throws: With `EWOULDBLOCK` if another handle has locked it.
    package func lock(_ path: String) throws(FileError) {
        // On a file system without locks there is nothing to respect.
        if SystemFile.lock(descriptor) == .wouldBlock { throw FileError("lock", path, .wouldBlock) }
    }
}

/// The files that are no longer used but that a disk thread still holds open. An operation that was abandoned by a
/// pause or a cancellation keeps the lock until it returns. A task that opens such a file again waits for that instead
/// of failing.
package enum ClosingFiles {
    private struct Entry {
        var handles = 0
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var lastWaiter = 0
    }

    private static let state = Mutex(State())

    static func begin(_ path: String) {
        state.withLock { $0.entries[path, default: Entry()].handles += 1 }
    }

    static func end(_ path: String) {
        let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            guard var entry = state.entries[path] else { return [] }
            entry.handles -= 1
            state.entries[path] = entry.handles > 0 ? entry : nil
            return entry.handles > 0 ? [] : Array(entry.waiters.values)
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits until the file is closed or the task is cancelled. Returns false at once if the file is not about to be
    /// closed.
    package static func wait(for path: String) async -> Bool {
        let id = state.withLock { state -> Int? in
            guard state.entries[path] != nil else { return nil }
            state.lastWaiter += 1
            return state.lastWaiter
        }
        guard let id else { return false }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDue = state.withLock { state in
                    guard state.entries[path] != nil, !Task.isCancelled else { return true }
                    state.entries[path]?.waiters[id] = continuation
                    return false
                }
                if isDue { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.entries[path]?.waiters.removeValue(forKey: id) }?.resume()
        }
        return true
    }
}
