import Foundation
import Testing

/// One case of the shared conformance data for responses; its folder has a README.
struct ResponseVector: Decodable, Sendable, CustomTestStringConvertible {
    struct ByteString: Decodable, Sendable {
        let text: String?
        let b64: String?

        var bytes: [UInt8] {
            if let text { return Array(text.utf8) }
            return b64.flatMap { Data(base64Encoded: $0) }.map(Array.init) ?? []
        }
    }

    let id: String
    let method: String
    let wire: ByteString
    let expect: String
    let origin: String?
    let status: Int?
    let version: String?
    let reason: String?
    let headers: [[String]]?
    let headersInclude: [[String]]?
    let body: ByteString?
    let trailers: [[String]]?
    let connection: String?
    let untilClose: Bool?
    let surplus: Int?
    let mustNotDeliver: String?

    var testDescription: String { id }

    /// Beside the repository, where the shared data is; absent in a plain checkout.
    static let folder: URL = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "shared/vectors/http1-response")

    static let all: [ResponseVector] = {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        return files.filter { $0.pathExtension == "json" }.sorted { $0.path < $1.path }.flatMap { file in
            do {
                return try decoder.decode([ResponseVector].self, from: Data(contentsOf: file))
            } catch {
                fatalError("\(file.lastPathComponent): \(error)")
            }
        }
    }()
}
