package import Glibc
import Synchronization

/// An open file, closed with the last reference.
package final class FileHandle: Sendable {
    package let descriptor: Int32
    /// Set when whoever used the file has left it, and only a thread that works on it may still have it open.
    private let leftPath = Mutex<String?>(nil)

    package init(owning descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
        if let path = leftPath.withLock(\.self) { ClosingFiles.end(path) }
    }

    /// Notes that the file, and its lock, will be free as soon as the last call is done; see ``ClosingFiles``.
    package func leave(_ path: String) {
        leftPath.withLock { left in
            guard left == nil else { return }
            left = path
            ClosingFiles.begin(path)
        }
    }

    /// - Parameter path: What an error says.
    package func status(_ path: String) throws(FileError) -> stat {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw FileError("examine", path, errno) }
        return status
    }

    /// Keeps others from locking the file for as long as this is open.
    ///
    /// - Parameter path: What an error says.
    /// - Throws: With `EWOULDBLOCK` where somebody has locked it.
    package func lock(_ path: String) throws(FileError) {
        // A file system without locks has none to respect.
        if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
            throw FileError("lock", path, EWOULDBLOCK)
        }
    }
}

/// The files that nobody uses any more but that a disk thread still has open: a call that was abandoned by a pause or a
/// cancellation keeps its lock until it returns. Who opens such a file again waits for that instead of failing.
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

    /// Waits until the file is closed, or the task is cancelled; false, at once, where nobody is about to leave it.
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

/// Which file something is, whatever name it has: a file that takes the place of another is another one.
package struct FileIdentity: Sendable, Hashable {
    private let device: UInt64
    private let number: UInt64

    package init(_ status: stat) {
        device = UInt64(status.st_dev)
        number = UInt64(status.st_ino)
    }
}
