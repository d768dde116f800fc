import COpenSSL
import Foundation
import SockeyeCore
import Testing

/// One case of the conformance data beside the package.
struct CodingVector: Sendable, Codable, CustomTestStringConvertible {
    struct Blob: Sendable, Codable {
        let b64: String
    }

    enum Expectation: String, Sendable, Codable {
        case ok, error, either
    }

    let id: String
    let contentEncoding: String
    let body: Blob
    let expect: Expectation
    let size: Int?
    let sha256: String?

    private enum CodingKeys: String, CodingKey {
        case id, body, expect, size, sha256
        case contentEncoding = "content_encoding"
    }

    var testDescription: String { id }
    var coded: Bytes { Bytes(Data(base64Encoded: body.b64) ?? Data()) }

    func matches(_ decoded: Bytes) -> Bool {
        size == decoded.count && sha256 == hexadecimalSHA256(decoded)
    }

    static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().appending(path: "../../../shared/vectors/content-encoding").standardizedFileURL

    static var isPresent: Bool { FileManager.default.fileExists(atPath: folder.path()) }

    /// brotli.json and zstd.json are left out: this library does not offer these codings.
    static let all: [CodingVector] = ["common", "go", "zlib-ng"].flatMap { name in
        guard let data = try? Data(contentsOf: folder.appending(path: "\(name).json")) else { return [CodingVector]() }
        return try! JSONDecoder().decode([CodingVector].self, from: data)
    }
}

func hexadecimalSHA256(_ bytes: Bytes) -> String {
    var digest = [UInt8](repeating: 0, count: 32)
    unsafe bytes.withUnsafeBytes { _ = unsafe EVP_Digest($0.baseAddress, $0.count, &digest, nil, EVP_sha256(), nil) }
    return digest.map { String(format: "%02x", $0) }.joined()
}
