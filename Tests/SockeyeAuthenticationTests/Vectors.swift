import Foundation
import Testing

/// The public conformance data, which lies beside the checkout and not in it. What needs it is skipped, and says so,
/// where it is absent.
enum Vectors {
    static let absence: Comment = "skipped: the shared vectors are not beside this checkout"

    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().appending(path: "../../../shared/vectors").standardizedFileURL

    static func exist(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appending(path: path).path())
    }

    static func data(_ path: String) throws -> Data {
        try Data(contentsOf: folder.appending(path: path))
    }
}
