import Foundation
import Testing

/// The public conformance data, which lies beside the checkout and not in it. Every suite that needs it is skipped, and
/// says so, where it is absent.
enum Vectors {
    static let absence: Comment = "skipped: the shared vectors are not beside this checkout"

    static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().appending(path: "../../../../shared/vectors").standardizedFileURL

    static var arePresent: Bool { FileManager.default.fileExists(atPath: folder.path()) }

    /// The cases of one file, or none when there is no such file.
    static func load<Case: Decodable>(_ path: String, as type: Case.Type = Case.self) -> [Case] {
        let file = folder.appending(path: path)
        guard let data = try? Data(contentsOf: file) else { return [] }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        do {
            return try decoder.decode([Case].self, from: data)
        } catch {
            fatalError("\(path) cannot be read: \(error)")
        }
    }

    /// The JSON files of a folder, in order.
    static func files(in path: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: path).path())) ?? []
        return names.filter { $0.hasSuffix(".json") }.sorted().map { "\(path)/\($0)" }
    }
}
