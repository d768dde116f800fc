import SockeyeCore
import SockeyePlatform

/// Reads the small files that a configuration names.
enum FileContents {
    /// No certificate bundle is near this; a device file that never ends must not be read to its end.
    private static let limit = 64 << 20

    static func read(_ pem: TLSOptions.PEM, role: String) throws(TLSFailure) -> [UInt8] {
        switch pem.source {
        case .bytes(let bytes): return Array(bytes)
        case .file(let path): return try read(path, role: role)
        }
    }

    static func read(_ path: String, role: String) throws(TLSFailure) -> [UInt8] {
        let contents: [UInt8]?
        do {
            contents = try SystemFile.contents(of: path, limit: limit)
        } catch {
            let reason = error.isOutOfResources ? TLSFailure.Reason.outOfResources : .badConfiguration
            throw TLSFailure(reason: reason, message: "the \(role) file \(path) cannot be read: \(error.text)")
        }
        guard let contents else {
            throw TLSFailure(reason: .badConfiguration, message: "the \(role) file \(path) is too large")
        }
        return contents
    }
}

/// Lists the files of a folder that a configuration names.
enum FolderContents {
    /// The paths of the files whose names end in one of these, in the order of their names.
    static func paths(
        in folder: String, endingIn endings: Set<String>, role: String
    ) throws(TLSFailure) -> [String] {
        let names: [String]
        do {
            names = try SystemFile.names(in: folder)
        } catch {
            throw TLSFailure(
                reason: .badConfiguration, message: "the folder of \(role) \(folder) cannot be read: \(error.text)")
        }
        let wanted = names.filter { name in
            guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return false }
            return endings.contains(name[name.index(after: dot)...].lowercased())
        }
        return wanted.sorted().map { "\(folder)/\($0)" }
    }
}
