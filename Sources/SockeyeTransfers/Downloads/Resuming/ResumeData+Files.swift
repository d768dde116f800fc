import Sockeye
import SockeyeCore
public import SockeyeEngine
import SockeyeEssentials
import SockeyePlatform

/// Resume data stored in a file for a later process.
extension ResumeData {
    /// The size of the largest file that is read, in bytes.
    private static let maximumSize = 256 << 10

    /// Reads a file written by ``write(to:)``. Returns nil if no file exists, or if the file is empty, for example
    /// after a power failure.
    ///
    /// The file must be a regular file with a link count of 1. It must belong to the user of this process and be
    /// inaccessible to group and others (such as mode 0600). It must be in the same folder as the temporary file that
    /// it names. These rules keep a file that a server supplied, such as an earlier download, from being mistaken for
    /// resume data: the mode of such a file normally lets others read it.
    ///
    /// - Throws: ``/Sockeye/SockeyeError/Code-swift.struct/badConfiguration`` if the file violates these rules, cannot
    ///   be read, or does not contain resume data. ``/Sockeye/SockeyeError/Code-swift.struct/outOfResources`` if
    ///   descriptors or memory are short. ``/Sockeye/SockeyeError/Code-swift.struct/cancelled`` if the task was
    ///   cancelled before the file was read.
    public static func read(from path: String) async throws(SockeyeError) -> ResumeData? {
        try await onDisk { () throws(SockeyeError) in
            guard FilePath.exists(path) else { return nil }
            let content = try PermissionCheckedFile(path: path, isPrivate: true).read(atMost: maximumSize)
            guard !content.isEmpty else { return nil }
            guard content.count <= maximumSize,
                let data = try? JSONResponseDecoder().decode(ResumeData.self, from: Bytes(content))
            else { throw failure(path, "does not contain resume data of this library") }
            guard data.isInFolder(of: path) else {
                throw failure(path, "is not in the folder of the temporary file that it names")
            }
            return data
        }
    }

    /// Writes the value to a file that only the user of this process can access (mode 0600). An existing file is
    /// replaced atomically.
    ///
    /// - Parameter path: A path in the folder of the temporary file, which is the folder of the download's destination.
    /// - Throws: ``/Sockeye/SockeyeError/Code-swift.struct/badConfiguration`` if `path` is in another folder.
    ///   ``/Sockeye/SockeyeError/Code-swift.struct/fileFailed``, ``/Sockeye/SockeyeError/Code-swift.struct/diskFull``
    ///   or ``/Sockeye/SockeyeError/Code-swift.struct/outOfResources`` if the file cannot be written.
    ///   ``/Sockeye/SockeyeError/Code-swift.struct/cancelled`` if the task was cancelled before the file was written.
    public func write(to path: String) async throws(SockeyeError) {
        try await Self.onDisk { () throws(SockeyeError) in
            guard isInFolder(of: path) else {
                throw Self.failure(path, "is not in the folder of the temporary file \(temporaryPath)")
            }
            guard let content = try? JSONEncoder().encode(self) else {
                throw Self.failure(path, "cannot be written: the resume data cannot be encoded")
            }
            do throws(FileError) {
                try TemporaryFile.replace(path, by: Bytes(content), synchronizing: false)
            } catch {
                throw SockeyeError(error)
            }
        }
    }

    /// Removes a file that ``write(to:)`` wrote, and never any other.
    ///
    /// - Parameter temporaryPaths: The file is removed only if it has the state of one of these temporary files.
    static func removeFile(_ path: String, withStateOf temporaryPaths: Set<String>) async {
        guard let data = try? await read(from: path), temporaryPaths.contains(data.temporaryPath) else { return }
        try? await onDisk { () throws(SockeyeError) in _ = SystemFile.remove(path) }
    }

    /// Throws if a resume file is the destination of its own download, even if the two paths differ, such as `f` and
    /// `./f`.
    static func check(_ resumeFile: String?, isNot destination: String) async throws(SockeyeError) {
        guard let resumeFile, FilePath.name(of: resumeFile) == FilePath.name(of: destination) else { return }
        try await onDisk { () throws(SockeyeError) in
            let (folder, other) = (FilePath.folder(of: resumeFile), FilePath.folder(of: destination))
            guard folder != other, !FilePath.leadToSameFile(folder, other) else {
                throw failure(resumeFile, "is both the resume file and the destination of a download")
            }
        }
    }

    private func isInFolder(of path: String) -> Bool {
        FilePath.leadToSameFile(FilePath.folder(of: path), FilePath.folder(of: temporaryPath))
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
