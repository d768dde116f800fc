import Foundation

/// A file in a new temporary folder, removed with its last reference.
final class ScratchFile: Sendable {
    let url: URL
    private let folder: URL

    init(_ name: String = "file.bin", _ content: some Sequence<UInt8> = []) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("sockeye-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        url = folder.appendingPathComponent(name)
        try write(Data(content))
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    var path: String { url.path }

    func write(_ data: Data) throws { try data.write(to: url) }

    /// Extends the file by a hole, or truncates it.
    func resize(to count: Int) throws {
        let handle = try FileHandle(forWritingTo: url)
        defer { try? handle.close() }
        try handle.truncate(atOffset: UInt64(count))
    }

    func remove() throws { try FileManager.default.removeItem(at: url) }

    /// The names of the files in the folder.
    var siblings: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted() }
}
