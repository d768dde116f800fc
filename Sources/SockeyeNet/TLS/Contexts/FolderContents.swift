import Glibc

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
