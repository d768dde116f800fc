import SockeyeHTTP
import SockeyeTestSupport
import Testing

/// One case of `content-encoding`: a coded body and what must come out of it.
struct CodingCase: Decodable, Sendable, CustomTestStringConvertible {
    let id: String
    let contentEncoding: String
    let body: ByteString
    let expect: String
    let size: Int?
    let sha256: String?

    var testDescription: String { id }

    static let all: [CodingCase] = Vectors.files(in: "content-encoding").flatMap { Vectors.load($0) }

    /// Whether the client offers this coding; br and zstd only with the traits that link them.
    var isOffered: Bool {
        // A block without sequences that goes on: libzstd refuses it from 1.5.5 on, the one of Debian 12 is 1.5.4.
        id != "zstd-zeroSeq_extraneous.zst" && Self.optional.allSatisfy { !contentEncoding.contains($0) }
    }

    private static let optional = [ContentCoding.brotli, .zstandard].filter { !$0.isLinked }.map(\.rawValue)
}
