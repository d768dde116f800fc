import SockeyeEngine
import SockeyeHTTP
import SockeyePlatform

/// Operations on paths, as opposed to open files.
package enum FilePath {
    /// The maximum length of a path on Linux, in bytes without the NUL. If a system has a lower maximum, the system
    /// itself reports a path that is too long.
    private static let maximumLength = 4095

    /// Returns the folder of a path; `.` if the path has no slash.
    package static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        let folder = path[..<slash]
        return folder.isEmpty ? "/" : String(folder)
    }

    /// Returns the last component of a path.
    package static func name(of path: String) -> Substring {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[path.utf8.index(after: $0)...] } ?? path[...]
    }

    /// Creates a folder and its missing parents, with the mode 0777 under the process's umask.
    package static func createFolders(_ path: String) throws(FileError) {
        // Without recursion: a path may have 2,000 folders, and a thread a stack of 128 KiB (musl).
        var missing: [String] = []
        var next = path
        // `/` and `.` are their own parents, and do not seem to exist if the process may not search them.
        while !exists(next), next != missing.last {
            missing.append(next)
            next = folder(of: next)
        }
        for path in missing.reversed() {
            if let error = SystemFile.createFolder(path), error != .exists { throw FileError("create", path, error) }
        }
    }

    /// True if the path exists, even as a dangling symbolic link. Also false if a folder of the path is inaccessible.
    package static func exists(_ path: String) -> Bool { SystemFile.entryStatus(of: path) != nil }

    /// Throws if it is certain that no file can be put at the path under this policy.
    package static func check(_ path: String, _ existing: ExistingFilePolicy) throws(FileError) {
        // The system would take the path only up to a NUL, and so use another file.
        guard !path.isEmpty, !path.utf8.contains(0) else { throw FileError("write to", path, .invalidArgument) }
        guard !path.utf8.elementsEqual("/".utf8), path.utf8.last != UInt8(ascii: "/") else {
            throw FileError("write to", path, .isFolder)
        }
        guard path.utf8.count <= maximumLength, name(of: path).utf8.count <= SuggestedFileName.maximumLength else {
            throw FileError("write to", path, .nameTooLong)
        }
        guard let status = SystemFile.entryStatus(of: path) else { return }
        switch status.kind {
        case .regular, .symbolicLink: break
        case .folder: if existing != .keepBoth { throw FileError("replace", path, .isFolder) }
        // A download to /dev/null must not replace the device.
        case .other: throw FileError("replace", path, .invalidArgument)
        }
        if existing == .fail { throw FileError("create", path, .exists) }
    }

    /// True if both paths lead to the same existing file or folder.
    package static func leadToSameFile(_ first: String, _ second: String) -> Bool {
        guard let identity = SystemFile.status(of: first)?.identity else { return false }
        return identity == SystemFile.status(of: second)?.identity
    }

    /// Moves a file to its destination. Returns the final path.
    package static func move(
        _ path: String, to destination: String, _ existing: ExistingFilePolicy
    ) throws(FileError) -> String {
        if existing == .keepBoth { return try moveToFreeName(path, destination) }
        if let error = SystemFile.move(path, to: destination, replacing: existing == .replace) {
            throw FileError("move to", destination, error)
        }
        return destination
    }

    /// Tries the destination's own name and then numbered names, up to 9,999, until a name is free. A move to a name
    /// that is taken fails, so another process's file is never replaced.
    private static func moveToFreeName(_ path: String, _ destination: String) throws(FileError) -> String {
        for number in 0..<10_000 {
            let candidate = number == 0 ? destination : numbered(destination, number)
            guard let error = SystemFile.move(path, to: candidate, replacing: false) else { return candidate }
            guard error == .exists else { throw FileError("move to", candidate, error) }
        }
        throw FileError("move to", destination, .exists)
    }

    /// Returns, for example, `/a/report-1.pdf` for `/a/report.pdf`. The name is shortened if it would exceed the
    /// maximum length of names.
    package static func numbered(_ path: String, _ number: Int) -> String {
        let name = name(of: path)
        let mark = "-\(number)"
        let room = SuggestedFileName.maximumLength - mark.utf8.count
        let fitting = SuggestedFileName.shortened(name, to: room)
        // A leading dot hides a file and does not start an extension.
        let dot = fitting.dropFirst().lastIndex(of: ".") ?? fitting.endIndex
        // The path is cut at an index. A search for the slash could miss it, because a combining mark at the start of
        // the name forms one `Character` with the slash.
        return String(path[..<name.startIndex]) + String(fitting[..<dot]) + mark + String(fitting[dot...])
    }
}
