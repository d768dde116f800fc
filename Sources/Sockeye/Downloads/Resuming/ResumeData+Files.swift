import FoundationEssentials
import SockeyeCore
public import SockeyeEngine
import SockeyePlatform

/// Resume data in a file, for the next process.
extension ResumeData {
    /// The largest file that is read.
    private static let maximumSize = 256 << 10

    /// Reads what ``write(to:)`` stored; nil if there is no file at the path, or an empty one, as a power failure may leave.
    ///
    /// The file must be a regular one with one name that belongs to the user of this process and that nobody else can read or
    /// write (mode 0600). It must be in the same folder as the temporary file that it names. So a file of a server's making,
    /// such as an earlier download, is not taken for one of this program.
    ///
    /// - Throws: ``SockeyeError/Code-swift.struct/badConfiguration`` for a file that is not like that, cannot be read, or has
    ///   something else in it.
    public static func read(from path: String) async throws(SockeyeError) -> ResumeData? {
        try await onDisk { () throws(SockeyeError) in
            guard FilePath.exists(path) else { return nil }
            let content = try PermissionCheckedFile(path: path, isPrivate: true).read(atMost: maximumSize)
            guard !content.isEmpty else { return nil }
            guard content.count <= maximumSize,
                let data = try? JSONResponseDecoder().decode(ResumeData.self, from: Bytes(content))
            else { throw failure(path, "does not have resume data of this library in it") }
            guard data.isInFolder(of: path) else { throw failure(path, "is not beside the file that it names") }
            return data
        }
    }

    /// Stores the value in a file that belongs to the user of this process alone (mode 0600); a file that is there already is
    /// replaced in one step.
    ///
    /// - Parameter path: In the folder of the download's destination, where the temporary file is.
    /// - Throws: ``SockeyeError/Code-swift.struct/badConfiguration`` for another folder, ``SockeyeError/Code-swift.struct/fileFailed``
    ///   or ``SockeyeError/Code-swift.struct/diskFull``.
    public func write(to path: String) async throws(SockeyeError) {
        try await Self.onDisk { () throws(SockeyeError) in
            guard isInFolder(of: path) else { throw Self.failure(path, "would not be beside \(temporaryPath)") }
            guard let content = try? JSONEncoder().encode(self) else { throw Self.failure(path, "cannot be written") }
            do throws(FileError) {
                try TemporaryFile.replace(path, by: Bytes(content), synchronizing: false)
            } catch {
                throw SockeyeError(error)
            }
        }
    }

    /// Removes a file that ``write(to:)`` made, and never any other.
    static func removeFile(_ path: String) async {
        guard (try? await read(from: path)) != nil else { return }
        try? await onDisk { () throws(SockeyeError) in _ = SystemFile.remove(path) }
    }

    private func isInFolder(of path: String) -> Bool {
        let folder = SystemFile.status(of: FilePath.folder(of: path))?.identity
        return folder != nil && folder == SystemFile.status(of: FilePath.folder(of: temporaryPath))?.identity
    }

    private static func onDisk<Value: Sendable>(
        _ work: @escaping @Sendable () throws(SockeyeError) -> Value
    ) async throws(SockeyeError) -> Value {
        let result: Result<Value, SockeyeError>
        do throws(FileFailure) {
            result = try await DiskThreadPool.opening.runToEnd { Result(catching: work) }
        } catch {
            throw SockeyeError(error)
        }
        return try result.get()
    }

    private static func failure(_ path: String, _ what: String) -> SockeyeError {
        SockeyeError(.init(.badConfiguration, phase: .prepare, blame: .caller, message: "\(path) \(what)"))
    }
}
