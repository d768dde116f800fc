import Sockeye
public import SockeyeEngine
import SockeyeNet

extension ResumeData {
    /// Removes temporary files of this library that are left over in a folder.
    ///
    /// A download that fails removes its temporary file, unless the download can be resumed. So a file is left over
    /// only if the process was killed or the resume data was lost. Call this method from time to time, for example at
    /// the start of a program.
    ///
    /// ```swift
    /// try await ResumeData.removeStaleParts(
    ///     beside: "/data/big.iso", olderThan: .seconds(86_400), keeping: archived)
    /// ```
    ///
    /// - Parameters:
    ///   - destination: The path of a download, or of any other file in the same folder. Subfolders are not searched.
    ///   - age: The minimum time since the last write to a file. A running download locks its file, and a locked file
    ///     is kept at any age. A paused download may hold no lock, and some file systems have no locks: in these
    ///     cases only `age` and `kept` protect the file.
    ///   - kept: Downloads that may still be resumed. Their files are kept at any age.
    /// - Returns: The paths of the removed files.
    /// - Throws: ``/Sockeye/SockeyeError/Code-swift.struct/fileFailed`` if the folder cannot be read, and
    ///   ``/Sockeye/SockeyeError/Code-swift.struct/cancelled``. Files that cannot be removed are left.
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
