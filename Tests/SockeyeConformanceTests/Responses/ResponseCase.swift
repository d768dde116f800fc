import SockeyeTestSupport
import Testing

/// One case of `responses.json`, `http1-response` or `http1-chunked`: the bytes of a server, and the result that a
/// client should give.
struct ResponseCase: Decodable, Sendable, CustomTestStringConvertible {
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
    let mustNotDeliver: String?

    var testDescription: String { id }

    static let all: [ResponseCase] = Vectors.load(
        own: "responses.json",
        public: ["http1-response", "http1-chunked"].flatMap(Vectors.publicFiles(in:)))
}
