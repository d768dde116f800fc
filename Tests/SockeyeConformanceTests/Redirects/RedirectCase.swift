import Foundation
import SockeyeCore
import SockeyeTestSupport
import Testing

/// A case of `redirects.json` or of the public `redirects/wpt.json`, whose README explains the parts.
struct RedirectCase: Decodable, Sendable, CustomTestStringConvertible {
    struct Expectation: Decodable, Sendable {
        let method: String?
        let body: String?
        let bodyHeadersKept: Bool?
        let result: String?
        let status: Int?
        let nextTargetEndsWith: String?
    }

    let id: String
    let kind: String
    let status: Int
    let mode: String?
    let location: String?
    let locationBytes: ByteString?
    let redirects: Int?
    let method: String?
    let body: String?
    let requestHeaders: [[String]]?
    let expect: Expectation

    var testDescription: String { id }

    static let all: [RedirectCase] = Vectors.load(own: "redirects.json", public: ["redirects/wpt.json"])
}
