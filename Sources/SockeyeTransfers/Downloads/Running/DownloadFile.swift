import Sockeye
package import SockeyeCore
package import SockeyeEngine
import SockeyePlatform

/// The temporary file of a download, in the folder of the destination. It is moved to the destination when it is
/// complete. Until then an existing file at the destination is unchanged.
///
/// Only one task uses the object. As long as the file is temporary, only its owner can read it (mode 0600), and it is
/// locked against a second download. ``remove()`` removes the file. If the file was not removed, moved or kept, a disk
/// thread removes it soon after the last reference to the object is released. Slow disk calls run on threads of a
/// ``DiskThreadPool``.
package final class DownloadFile {
    private var temporaryFile: TemporaryFile
    private var writer: FileWriter
    /// The length of the file with all appended bytes, including those that are not yet ``written``.
    package private(set) var count: Int
    private var isKept = false

    private init(_ temporaryFile: TemporaryFile) {
        self.temporaryFile = temporaryFile
        writer = FileWriter(temporaryFile)
        count = temporaryFile.initialCount
    }

    deinit {
        writer.closeAtOnce(dropping: !isKept)
        temporaryFile.markUnused()
        temporaryFile.beginRemoval()
    }

    /// Creates a file in the folder of `destination`. A missing folder is created.
    package static func create(
        beside destination: String, calls: FileCalls = .system
    ) async throws(FileFailure) -> DownloadFile {
        DownloadFile(
            try await DiskThreadPool.opening.runToEnd { () throws(FileError) in
                let folder = FilePath.folder(of: destination)
                try FilePath.createFolders(folder)
                return try TemporaryFile.create(in: folder, .resumable, mode: 0o600, calls: calls)
            })
    }

    /// Reopens a kept file to append to it. Waits for pending disk operations of an earlier download of this process.
    ///
    /// - Throws: `ENOENT` if the file is missing, `EWOULDBLOCK` if another download uses it, and `EINVAL`, `EPERM` or
    ///   `ELOOP` if the file was not created by a download of this user.
    package static func reopen(_ path: String, calls: FileCalls = .system) async throws(FileFailure) -> DownloadFile {
        var canRetry = true
        while true {
            do throws(FileFailure) {
                let temporaryFile = try await DiskThreadPool.opening.runToEnd { () throws(FileError) in
                    try TemporaryFile.reopen(path, calls: calls)
                }
                return DownloadFile(temporaryFile)
            } catch {
                // `ClosingFiles.wait` returns false if the file is not about to be closed. Even then the file is opened
                // once more: the earlier download may have closed it just before that call.
                guard case .system(let fault) = error, fault.systemError == .wouldBlock, canRetry else { throw error }
                canRetry = await ClosingFiles.wait(for: path)
                if Task.isCancelled { throw .cancelled }
            }
        }
    }

    /// The path of the temporary file, until it is moved.
    package var path: String { temporaryFile.path }

    /// The number of bytes in the file.
    package var written: Int { writer.written }

    /// True if appended bytes are not yet written and no write has failed. They are written even if the task that
    /// appended them is cancelled.
    var hasPendingBytes: Bool { writer.hasPendingBytes }

    /// Calls `report` with ``written`` after each write, on one of `threads`; on the writing thread if `threads` is
    /// nil.
    package func reporting(on threads: ThreadPool? = nil, _ report: @escaping @Sendable (Int) -> Void) {
        writer.reporting(on: threads, report)
    }

    /// Enqueues bytes to be written at the end. If a write fails, a later call may throw its error. The bytes written
    /// before the failure remain in the file.
    package func append(_ bytes: Bytes) async throws(FileFailure) {
        count += bytes.count
        try await writer.append(bytes)
    }

    /// Returns writers at several positions, to use instead of ``append(_:)``. After they finish, call
    /// ``truncate(to:)`` with the number of bytes to keep.
    ///
    /// - Parameter report: Called on a disk thread after each write, with the index of the writer and the position
    ///   after the written bytes.
    func writers(
        at positions: [Int], reporting report: @escaping @Sendable (_ writer: Int, _ position: Int) -> Void
    ) -> [FileWriter] {
        positions.enumerated().map { index, position in
            let writer = FileWriter(temporaryFile)
            writer.move(to: position)
            writer.reporting { report(index, $0) }
            return writer
        }
    }

    /// Waits until all appended bytes are in the file.
    package func flush() async throws(FileFailure) {
        try await writer.flush()
    }

    package func truncate(to count: Int) async throws(FileFailure) {
        try await flush()
        let temporaryFile = temporaryFile
        try await temporaryFile.disk.runToEnd { () throws(FileError) in try temporaryFile.truncate(to: count) }
        writer.move(to: count)
        self.count = count
    }

    /// Moves the file to the folder of `destination` unless it is there already. After a move, the closure of
    /// ``reporting(on:_:)`` must be set again.
    package func relocate(beside destination: String) async throws(FileFailure) {
        let folder = FilePath.folder(of: destination)
        guard folder != FilePath.folder(of: path) else { return }
        try await flush()
        let (temporaryFile, count) = (temporaryFile, count)
        let moved = try await temporaryFile.disk.runToEnd { () throws(FileError) in
            try temporaryFile.relocated(to: folder, count)
        }
        guard let moved else { return }
        self.temporaryFile = moved
        writer = FileWriter(moved)
    }

    /// Keeps the file after the last reference is released, for a later ``reopen(_:calls:)``.
    package func keep() {
        isKept = true
        temporaryFile.keep()
    }

    /// Removes the file unless it was moved or kept, even if the task is cancelled, and waits for that. The object must
    /// not be used afterwards. Bytes that are not yet written are discarded.
    package func remove() async {
        writer.closeAtOnce(dropping: true)
        await temporaryFile.remove()
    }

    /// True if the file still exists at its path; a cleanup job may have removed it. Also true, without a check, if the
    /// task is cancelled.
    package var isInPlace: Bool {
        get async {
            let temporaryFile = temporaryFile
            return (try? await temporaryFile.disk.runToEnd { temporaryFile.isInPlace }) ?? true
        }
    }

    /// Synchronizes the file to the disk, moves it to the destination, and returns the final path. If the file
    /// replaces a regular file, it gets that file's mode and group; otherwise it gets the mode of a new file.
    package func move(to destination: String, _ existing: ExistingFilePolicy) async throws(FileFailure) -> String {
        try await flush()
        let temporaryFile = temporaryFile
        let mode = try await temporaryFile.disk.run { () throws(FileError) in
            FileMode.of(destination, existing, for: temporaryFile)
        }
        return try await temporaryFile.finish(at: destination, existing, mode: mode)
    }

    /// Reads the whole file and passes it to `take` piece by piece, on another thread.
    package func read(_ take: @escaping @Sendable (Bytes) -> Void) async throws(FileFailure) {
        try await flush()
        let temporaryFile = temporaryFile
        // In chunks, so that reading ends soon after a cancellation.
        for start in stride(from: 0, to: count, by: Self.chunkSize) {
            let range = start..<min(count, start + Self.chunkSize)
            try await temporaryFile.disk.run { () throws(FileError) in try temporaryFile.read(range, take) }
        }
    }

    private static let chunkSize = 16 << 20
}
