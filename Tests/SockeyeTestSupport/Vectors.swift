package import Foundation
package import Testing

/// Public conformance data in a folder beside the checkout. If it is missing, tests that need it are skipped with a
/// message.
package enum Vectors {
    package static let absence: Comment = "skipped: the shared vectors are not beside this checkout"

    package static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().appending(path: "../../../shared/vectors").standardizedFileURL

    package static var arePresent: Bool { FileManager.default.fileExists(atPath: folder.path()) }

    package static func exist(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appending(path: path).path())
    }

    /// Returns the cases of a file; none if it does not exist. Names in snake case are converted to camel case, unless
    /// `keepingNames` is true because the names are data.
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

    /// Returns the JSON files of a folder, sorted.
    package static func files(in path: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: path).path())) ?? []
        return names.filter { $0.hasSuffix(".json") }.sorted().map { "\(path)/\($0)" }
    }
}
