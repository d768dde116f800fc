import Foundation

/// A file that nginx serves.
struct ServedFile {
    let name: String
    let bytes: Int

    static let small = ServedFile(name: "small", bytes: 13)
    static let medium = ServedFile(name: "medium", bytes: 1 << 20)
    static let large = ServedFile(name: "large", bytes: 1 << 30)
    static let all = [small, medium, large]

    /// Writes the file without its bytes: a sparse file costs no disk, and reads come from the page cache.
    func write(into folder: URL) throws {
        let path = folder.appending(path: name)
        try Data().write(to: path)
        let file = try FileHandle(forWritingTo: path)
        try file.truncate(atOffset: UInt64(bytes))
        try file.close()
    }
}
