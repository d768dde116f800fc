import Foundation

/// Public conformance data that lies beside the package in `../shared/vectors`; a checkout without it skips those tests.
enum ConformanceCases {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
        .appending(path: "shared/vectors")

    static func exist(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appending(path: path).path())
    }

    /// The cases of a file, or none if it is not there.
    static func load<Case: Decodable>(_ path: String, as type: Case.Type = Case.self) throws -> [Case] {
        guard exist(path) else { return [] }
        return try JSONDecoder().decode([Case].self, from: Data(contentsOf: folder.appending(path: path)))
    }
}
