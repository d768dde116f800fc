import Foundation

/// A new temporary folder, removed with the last reference.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "sockeye-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path()
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

    /// The names of all files, hidden ones included, sorted.
    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    func text(_ name: String) -> String? {
        FileManager.default.contents(atPath: self(name)).map { String(decoding: $0, as: UTF8.self) }
    }

    func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(filePath: self(name)))
    }
}
