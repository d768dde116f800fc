public import SockeyeEngine
import SockeyeNet

extension ResumeData {
    /// Removes what killed processes left of downloads to a folder: temporary files of this library that nobody has open.
    ///
    /// A download removes its temporary file when it ends, unless it can be resumed; only a process that is killed, or resume
    /// data that is lost, leaves one for ever. To be called now and then, at the start of a program for example.
    ///
    /// ```swift
    /// try await ResumeData.removeStaleParts(beside: "/data/big.iso", olderThan: .seconds(86_400), keeping: archived)
    /// ```
    ///
    /// - Parameters:
    ///   - destination: The path of a download, or of anything else in the same folder. Folders in it are not searched.
    ///   - age: How long a file must not have been written to. Those of other processes that run are locked, but where the
    ///     file system has no locks, or for a download that is paused, the age is all that tells.
    ///   - kept: What is yet to be resumed, whatever its age.
    /// - Returns: The paths of the files that were removed.
    /// - Throws: ``SockeyeError/Code-swift.struct/fileFailed`` for a folder that cannot be read, and
    ///   ``SockeyeError/Code-swift.struct/cancelled``. Files that cannot be removed are left.
    @discardableResult
    public static func removeStaleParts(
        beside destination: String, olderThan age: Duration, keeping kept: [ResumeData] = []
    ) async throws(SockeyeError) -> [String] {
        let folder = FilePath.folder(of: destination)
        let names = Set(kept.map { FilePath.name(of: $0.temporaryPath) }.map(String.init))
        do throws(FileFailure) {
            return try await DiskThreadPool.opening.runToEnd { () throws(FileError) in
                try StaleTemporaryFiles.remove(in: folder, olderThan: age, except: names)
            }
        } catch {
            throw SockeyeError(error).with { $0.phase = .prepare }
        }
    }
}
