import Glibc
import SockeyeCore

/// Reads the small files that a configuration names.
enum FileContents {
    /// No certificate bundle is near this; a device file that never ends must not be read to its end.
    private static let limit = 64 << 20

    static func read(_ pem: TLSConfiguration.PEM, role: String) throws(TLSFailure) -> [UInt8] {
        switch pem.source {
        case .bytes(let bytes): return Array(bytes)
        case .file(let path): return try read(path, role: role)
        }
    }

    static func read(_ path: String, role: String) throws(TLSFailure) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path, role, errno) }
        defer { close(descriptor) }
        var contents: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 32 << 10)
        while contents.count <= limit {
            let count = unsafe Glibc.read(descriptor, &block, block.count)
            if count == 0 { return contents }
            if count > 0 {
                contents.append(contentsOf: block[..<count])
            } else if errno != EINTR {
                throw failure(path, role, errno)
            }
        }
        throw TLSFailure(reason: .badConfiguration, message: "the \(role) file \(path) is too large")
    }

    private static func failure(_ path: String, _ role: String, _ code: Int32) -> TLSFailure {
        let text = Exhaustion.text(code)
        let reason = Exhaustion.isMeant(by: code) ? TLSFailure.Reason.outOfResources : .badConfiguration
        return TLSFailure(reason: reason, message: "the \(role) file \(path) cannot be read: \(text)")
    }
}

/// Lists the files of a folder that a configuration names.
enum FolderContents {
    /// The paths of the files whose names end in one of these, in the order of their names.
    static func paths(
        in folder: String, endingIn endings: Set<String>, role: String
    ) throws(TLSFailure) -> [String] {
        guard let directory = unsafe opendir(folder) else {
            let text = unsafe String(cString: strerror(errno))
            throw TLSFailure(
                reason: .badConfiguration, message: "the folder of \(role) \(folder) cannot be read: \(text)")
        }
        defer { unsafe closedir(directory) }
        var names: [String] = []
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { continue }
            if endings.contains(name[name.index(after: dot)...].lowercased()) { names.append(name) }
        }
        return names.sorted().map { "\(folder)/\($0)" }
    }
}
