package import SockeyeCore
package import SockeyeEngine
import SockeyePlatform

/// The temporary file that a download is written to, beside its destination and moved there when it is complete. What is at
/// the destination meanwhile is not touched.
///
/// One task uses it. It is readable for its owner only as long as it is temporary, locked against a second download, and
/// removed with the last reference unless it was moved or ``keep()`` was called. No call to the disk that may take long is
/// made by the thread of the task.
package final class DownloadFile {
    private var temporaryFile: TemporaryFile
    private var writer: FileWriter
    /// How many bytes were handed over; more than ``written`` while some are on their way.
    package private(set) var count: Int
    private var isKept = false

    private init(_ temporaryFile: TemporaryFile) {
        self.temporaryFile = temporaryFile
        writer = FileWriter(temporaryFile)
        count = temporaryFile.initialCount
    }

    deinit {
        writer.close(dropping: !isKept)
        temporaryFile.leave()
        temporaryFile.abandon()
    }

    /// A new one in the folder of `destination`, which is created if it is missing.
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

    /// One that was kept, to go on behind what is in it. Waits for what an earlier download of this process may still do to
    /// it.
    ///
    /// - Throws: With `ENOENT` when it is gone, with `EWOULDBLOCK` when another download uses it, and with `EINVAL` or
    ///   `EPERM` for what no download of this user made.
    package static func reopen(_ path: String, calls: FileCalls = .system) async throws(FileFailure) -> DownloadFile {
        var isLeft = true
        while true {
            do throws(FileFailure) {
                let temporaryFile = try await DiskThreadPool.opening.runToEnd { () throws(FileError) in
                    try TemporaryFile.reopen(path, calls: calls)
                }
                return DownloadFile(temporaryFile)
            } catch {
                // Once more also without a wait: it may have been closed just before the question who is leaving it.
                guard case .system(let fault) = error, fault.systemError == .wouldBlock, isLeft else { throw error }
                isLeft = await ClosingFiles.wait(for: path)
                if Task.isCancelled { throw .cancelled }
            }
        }
    }

    /// Where it is, until it is moved.
    package var path: String { temporaryFile.path }

    /// How many bytes are in it.
    package var written: Int { writer.written }

    /// Has `report` told ``written`` after each write, by another thread.
    package func reporting(_ report: @escaping @Sendable (Int) -> Void) {
        writer.reporting(report)
    }

    /// Writes behind what is there, soon. After an error, what is in it counts; a later call may be the one that throws it.
    package func append(_ bytes: Bytes) async throws(FileFailure) {
        count += bytes.count
        try await writer.append(bytes)
    }

    /// Writers at several positions at once, in place of ``append(_:)``. When they are done, ``truncate(to:)`` says what of it
    /// counts.
    ///
    /// - Parameter report: Told the number of a writer and the end of what it has written, by other threads.
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

    /// Waits until everything is in it.
    package func flush() async throws(FileFailure) {
        try await writer.flush()
    }

    /// Drops what is behind the first `count` bytes.
    package func truncate(to count: Int) async throws(FileFailure) {
        try await flush()
        let temporaryFile = temporaryFile
        try await temporaryFile.disk.runToEnd { () throws(FileError) in try temporaryFile.truncate(to: count) }
        writer.move(to: count)
        self.count = count
    }

    /// Follows its destination to another folder, at once, so that it always is beside it. Nothing may be reported yet.
    package func relocate(beside destination: String) async throws(FileFailure) {
        let folder = FilePath.folder(of: destination)
        guard folder != FilePath.folder(of: path) else { return }
        try await flush()
        let (temporaryFile, count) = (temporaryFile, count)
        let moved = try await temporaryFile.disk.runToEnd { () throws(FileError) in
            try temporaryFile.relocated(to: folder, count)
        }
        self.temporaryFile = moved
        writer = FileWriter(moved)
    }

    /// Lets the file be when the last reference goes, for a later ``reopen(_:calls:)``.
    package func keep() {
        isKept = true
        temporaryFile.keep()
    }

    /// Whether it still is where it was made: somebody may have cleaned up. Who is cancelled does not wait to find out.
    package var isInPlace: Bool {
        get async {
            let temporaryFile = temporaryFile
            return (try? await temporaryFile.disk.runToEnd { temporaryFile.isInPlace }) ?? true
        }
    }

    /// Puts the file to its destination when all of it is on the disk, and returns where that is. The mode becomes that
    /// of the file that it replaces, or of any new file.
    package func move(to destination: String, _ existing: ExistingFilePolicy) async throws(FileFailure) -> String {
        try await flush()
        let mode = try await temporaryFile.disk.run { () throws(FileError) in FileMode.of(destination, existing) }
        return try await temporaryFile.finish(at: destination, existing, mode: mode)
    }

    /// Hands over the whole file, piece by piece and on another thread.
    package func read(_ take: @escaping @Sendable (Bytes) -> Void) async throws(FileFailure) {
        try await flush()
        let temporaryFile = temporaryFile
        // In turns, so that nothing goes on for long after a cancellation.
        for start in stride(from: 0, to: count, by: Self.turn) {
            let range = start..<min(count, start + Self.turn)
            try await temporaryFile.disk.run { () throws(FileError) in try temporaryFile.read(range, take) }
        }
    }

    private static let turn = 16 << 20
}
