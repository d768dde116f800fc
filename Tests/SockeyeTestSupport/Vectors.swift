package import Foundation
package import Testing

/// The public conformance data, which lies beside the checkout and not in it. What needs it is skipped, and says so,
/// where it is absent.
package enum Vectors {
    package static let absence: Comment = "skipped: the shared vectors are not beside this checkout"

    package static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().appending(path: "../../../shared/vectors").standardizedFileURL

    package static var arePresent: Bool { FileManager.default.fileExists(atPath: folder.path()) }

    package static func exist(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appending(path: path).path())
    }

    /// The cases of one file, or none where there is no such file. Names in snake case become those in camel case, unless the
    /// names are data themselves.
    package static func load<Case: Decodable>(
        _ path: String, as type: Case.Type = Case.self, keepingNames: Bool = false
    ) -> [Case] {
        guard let data = try? Data(contentsOf: folder.appending(path: path)) else { return [] }
        let decoder = JSONDecoder()
        if !keepingNames { decoder.keyDecodingStrategy = .convertFromSnakeCase }
        do {
            return try decoder.decode([Case].self, from: data)
        } catch {
            fatalError("\(path) cannot be read: \(error)")
        }
    }

    /// The JSON files of a folder, in order.
    package static func files(in path: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: path).path())) ?? []
        return names.filter { $0.hasSuffix(".json") }.sorted().map { "\(path)/\($0)" }
    }
}
