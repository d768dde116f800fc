import SockeyeHTTP
import SockeyeTestSupport
import Testing

/// The cases of Content-Disposition (RFC 6266, RFC 8187).
@Suite struct ContentDispositionTests {
    struct Case: Decodable, Sendable, CustomTestStringConvertible {
        let id: String
        let title: String
        let input: String
        let type: String
        let parameters: [String: String]

        var testDescription: String { "\(id): \(title)" }

        static let all: [Case] = Vectors.load(
            own: "content-disposition.json", public: ["content-disposition/parse.json"], as: Parsed.self
        ).map(\.whole)
    }

    /// Decodes a case without the decoder's key conversion, because the keys here are names of parameters.
    private struct Parsed: Decodable {
        let whole: Case
        init(from decoder: any Decoder) throws { whole = try Case(from: decoder) }
    }

    @Test("the field is parsed as the case says", arguments: Case.all)
    func parse(vector: Case) {
        // Each character of the input stands for one byte, as in ISO-8859-1.
        let bytes = vector.input.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        let parsed = ContentDisposition(fieldBytes: bytes)
        #expect(parsed.type == vector.type)
        let parameters = parsed.parameters.map { ($0.name, $0.value) }
        #expect(Dictionary(parameters) { first, _ in first } == vector.parameters)
        // Any name must give a file inside the intended folder.
        let name = SuggestedFileName.make(parsed, url: nil)
        #expect(!name.isEmpty && !name.contains("/") && !name.hasPrefix(".") && name.utf8.count <= 255)
    }
}
