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

    /// Whether the client offers this coding: br and zstd it does not, so nobody sends them to it.
    var isOffered: Bool { !contentEncoding.contains("br") && !contentEncoding.contains("zstd") }
}
