import COpenSSL
import Foundation
import SockeyeCore
import SockeyeHTTP
import SockeyeTestSupport
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

    var testDescription: String { id }
    var coded: Bytes { Bytes(Data(base64Encoded: body.b64) ?? Data()) }

    func matches(_ decoded: Bytes) -> Bool {
        (size == nil || size == decoded.count) && (sha256 == nil || sha256 == hexadecimalSHA256(decoded))
    }

    static var isPresent: Bool { Vectors.exist("content-encoding") }

    static let all = files.flatMap { Vectors.load("content-encoding/\($0).json", as: Self.self) }.filter {
        // A block without sequences that continues: libzstd refuses it from 1.5.5 on, but Debian 12 has 1.5.4.
        $0.id != "zstd-zeroSeq_extraneous.zst"
    }

    /// The files of vectors; those of brotli and zstd only if these codings are linked.
    private static var files: [String] {
        ["common", "go", "zlib-ng"] + (ContentCoding.brotli.isLinked ? ["brotli"] : [])
            + (ContentCoding.zstandard.isLinked ? ["zstd"] : [])
    }
}

func hexadecimalSHA256(_ bytes: Bytes) -> String {
    var digest = [UInt8](repeating: 0, count: 32)
    unsafe bytes.withUnsafeBytes { _ = unsafe EVP_Digest($0.baseAddress, $0.count, &digest, nil, EVP_sha256(), nil) }
    return digest.map { String(format: "%02x", $0) }.joined()
}
