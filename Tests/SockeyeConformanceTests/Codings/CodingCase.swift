import SockeyeHTTP
import SockeyeTestSupport
import Testing

/// One case of `codings.json`, `content-encoding` or `content-encoding-more`: a coded body and the expected result.
struct CodingCase: Decodable, Sendable, CustomTestStringConvertible {
    let id: String
    let contentEncoding: String
    let body: ByteString
    let expect: String
    let size: Int?
    let sha256: String?

    var testDescription: String { id }

    static let all: [CodingCase] = Vectors.load(
        own: "codings.json", public: Vectors.publicFiles(in: "content-encoding"))
    /// Most of these bodies have 500 bytes to 2 kB, and some 128 kB.
    static let more: [CodingCase] = Vectors.load(public: Vectors.publicFiles(in: "content-encoding-more"))

    /// The numbers of bytes after which a cut body is still complete, by case: the ends of Zstandard frames (RFC 8878
    /// 3) and gzip members (RFC 1952 2.2).
    static let ends: [String: Set<Int>] = ["zstd-three-with-empty": [10, 19], "gzip-empty-members": [20, 40, 60]]

    /// True if the client offers this coding; br and zstd need the traits that link them.
    var isOffered: Bool {
        // A block with a sequence count of 0 and surplus bytes: libzstd refuses it from 1.5.5 on, but Debian 12 has
        // 1.5.4.
        id != "zstd-zeroSeq_extraneous.zst" && Self.optional.allSatisfy { !contentEncoding.contains($0) }
    }

    private static let optional = [ContentCoding.brotli, .zstandard].filter { !$0.isLinked }.map(\.rawValue)
}
