package import SockeyeCore

/// The temporary file that a download is written to, beside its destination and moved there when it is complete. What is at
/// the destination meanwhile is not touched.
///
/// One task uses it. It is readable for its owner only as long as it is temporary, locked against a second download, and
/// removed with the last reference unless it was moved or ``keep()`` was called.
package final class DownloadFile {
    private let draft: DraftFile
    /// How many bytes are in it.
    package private(set) var count: Int

    private init(_ draft: DraftFile) {
        self.draft = draft
        count = draft.initialCount
    }

    deinit {
        draft.abandon()
    }

    /// A new one in the folder of `destination`, which is created if it is missing.
    package static func create(
        beside destination: String, calls: FileCalls = .system
    ) throws(FileError) -> DownloadFile {
        let folder = FilePath.folder(of: destination)
        try FilePath.createFolders(folder)
        return DownloadFile(try DraftFile.create(in: folder, .resumable, mode: 0o600, calls: calls))
    }

    /// One that was kept, to go on behind what is in it.
    ///
    /// - Throws: With `ENOENT` when it is gone, with `EWOULDBLOCK` when another download uses it, and with `EINVAL` for
    ///   what no download made.
    package static func reopen(_ path: String, calls: FileCalls = .system) throws(FileError) -> DownloadFile {
        DownloadFile(try DraftFile.reopen(path, calls: calls))
    }

    /// Where it is, until it is moved.
    package var path: String { draft.path }

    /// Writes behind what is there. After an error, what came before it counts.
    package func append(_ bytes: Bytes) throws(FileError) {
        try draft.write(bytes, at: &count)
    }

    /// Drops what is behind the first `count` bytes.
    package func truncate(to count: Int) throws(FileError) {
        try draft.truncate(to: count)
        self.count = count
    }

    /// Lets the file be when the last reference goes, for a later ``reopen(_:calls:)``.
    package func keep() {
        draft.keep()
    }

    /// Whether it still is where it was made: somebody may have cleaned up.
    package var isInPlace: Bool { draft.isInPlace }

    /// Puts the file to its destination when all of it is on the disk, and returns where that is. The mode becomes that
    /// of any new file.
    package func move(to destination: String, _ existing: ExistingFilePolicy) async throws(SockeyeError) -> String {
        do throws(FileFailure) {
            return try await draft.finish(at: destination, existing, mode: FileMode.ofNewFiles)
        } catch {
            throw SockeyeError(error)
        }
    }

    /// Hands over the whole file, piece by piece and on another thread.
    package func read(_ take: @escaping @Sendable (Bytes) -> Void) async throws(SockeyeError) {
        let draft = draft
        // In turns, so that nothing goes on for long after a cancellation.
        for start in stride(from: 0, to: count, by: Self.turn) {
            let range = start..<min(count, start + Self.turn)
            do throws(FileFailure) {
                try await DiskWorkers.run { () throws(FileError) in try draft.read(range, take) }
            } catch {
                throw SockeyeError(error)
            }
        }
    }

    private static let turn = 16 << 20
}
