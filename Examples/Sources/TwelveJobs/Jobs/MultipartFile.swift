import Foundation
import Sockeye

/// 4: a file goes up as part of a form, read while it is sent; its name and type are derived.
struct MultipartFile: Job {
    let title = "multipart from a file"

    func run(_ client: HTTPClient) async throws -> String {
        let url = FileManager.default.temporaryDirectory.appending(path: "coast-\(UUID()).txt")
        try Data("waves".utf8).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        let response = try await client.post(
            "photos", .multipart { try $0.file(url, name: "file", filename: "coast.txt") })
        return try await response.text()
    }
}
