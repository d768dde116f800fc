import Foundation
import SockeyeTestSupport
import Testing

/// One test vector for responses: the bytes of a server, and the expected result.
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
    /// True if bare line feeds are the only fault of the message.
    let bareLineFeeds: Bool?

    var testDescription: String { id }

    static let all = Vectors.load(
        own: "responses.json",
        public: ["http1-response", "http1-chunked"].flatMap(Vectors.publicFiles(in:)), as: Self.self)
}
