import Sockeye
import SockeyeCore
import SockeyeEssentials
import SockeyeTestSupport
import Testing

/// The test vectors of JSON texts, decoded as a `JSONValue` and as a `Decodable` type.
@Suite struct JSONTextTests {
    private struct Case: Decodable, Sendable {
        let id: String
        let body: ByteString
        let expect: String

        static let all: [Case] = Vectors.load(own: "json-texts.json", public: ["json/texts.json"])
    }

    /// A value of any kind, so that all of the text is decoded.
    private enum Anything: Decodable {
        case list([Anything]), members([String: Anything]), scalar

        init(from decoder: any Decoder) throws {
            if let list = try? decoder.singleValueContainer().decode([Anything].self) {
                self = .list(list)
            } else if let members = try? decoder.singleValueContainer().decode([String: Anything].self) {
                self = .members(members)
            } else {
                self = .scalar
            }
        }
    }

    @Test("typed and untyped decoding accept valid JSON and refuse other text")
    func texts() {
        for vector in Case.all where vector.expect != "either" {
            let untyped = (try? JSONValue(parsing: vector.body.bytes)) != nil
            let typed = (try? JSONResponseDecoder().decode(Anything.self, from: vector.body.bytes)) != nil
            #expect(untyped == (vector.expect == "ok"), "\(vector.id), untyped")
            #expect(typed == (vector.expect == "ok"), "\(vector.id), typed")
        }
    }
}
