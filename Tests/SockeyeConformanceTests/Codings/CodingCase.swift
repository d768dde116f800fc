import SockeyeHTTP
import SockeyeTestSupport
import Testing

/// One case of `codings.json` or `content-encoding`: a coded body and the expected result.
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

    /// True if the client offers this coding; br and zstd need the traits that link them.
    var isOffered: Bool {
        // A block with a sequence count of 0 and surplus bytes: libzstd refuses it from 1.5.5 on, but Debian 12 has
        // 1.5.4.
        id != "zstd-zeroSeq_extraneous.zst" && Self.optional.allSatisfy { !contentEncoding.contains($0) }
    }

    private static let optional = [ContentCoding.brotli, .zstandard].filter { !$0.isLinked }.map(\.rawValue)
}
