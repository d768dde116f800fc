import COpenSSL
import Foundation
import SockeyeCore
import SockeyeHTTP
import SockeyeTestSupport
import Testing

/// One case of `codings.json` or of the public data: a coded body and the expected result.
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

    /// The cases whose codings are linked; br and zstd need the traits of their libraries.
    static let all = Vectors.load(
        own: "codings.json",
        public: ["content-encoding", "content-encoding-more"].flatMap(Vectors.publicFiles(in:)), as: Self.self
    ).filter { vector in
        // A block with a sequence count of 0 and surplus bytes: libzstd refuses it from 1.5.5 on, but Debian 12 has
        // 1.5.4.
        vector.id != "zstd-zeroSeq_extraneous.zst" && unlinked.allSatisfy { !vector.contentEncoding.contains($0) }
    }

    /// The numbers of bytes after which a cut body is still complete, by case: the ends of Zstandard frames (RFC 8878
    /// 3) and gzip members (RFC 1952 2.2).
    static let ends: [String: Set<Int>] = ["zstd-three-with-empty": [10, 19], "gzip-empty-members": [20, 40, 60]]

    private static let unlinked = [ContentCoding.brotli, .zstandard].filter { !$0.isLinked }.map(\.rawValue)
}

func hexadecimalSHA256(_ bytes: Bytes) -> String {
    var digest = [UInt8](repeating: 0, count: 32)
    unsafe bytes.withUnsafeBytes { _ = unsafe EVP_Digest($0.baseAddress, $0.count, &digest, nil, EVP_sha256(), nil) }
    return digest.map { String(format: "%02x", $0) }.joined()
}
