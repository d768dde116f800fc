import Sockeye
import SockeyeTestSupport
import Testing

/// The `content-disposition` cases.
@Suite(.enabled(if: Vectors.arePresent, Vectors.absence)) struct ContentDispositionTests {
    struct Case: Decodable, Sendable, CustomTestStringConvertible {
        let id: String
        let title: String
        let input: String
        let type: String
        let parameters: [String: String]

        var testDescription: String { "\(id): \(title)" }

        static let all: [Case] = Vectors.load("content-disposition/parse.json", as: Parsed.self).map(\.whole)
    }

    /// Without the decoder's change of keys, which are names of parameters here.
    private struct Parsed: Decodable {
        let whole: Case
        init(from decoder: any Decoder) throws { whole = try Case(from: decoder) }
    }

    @Test("takes the field apart as recorded", arguments: Case.all)
    func parse(vector: Case) {
        // Characters are bytes of ISO-8859-1.
        let bytes = vector.input.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        let parsed = ContentDisposition(fieldBytes: bytes)
        #expect(parsed.type == vector.type)
        let parameters = parsed.parameters.map { ($0.name, $0.value) }
        #expect(Dictionary(parameters) { first, _ in first } == vector.parameters)
        // Whatever it is, a file of that name is one in the folder it is meant for.
        let name = SuggestedFileName.make(parsed, url: nil)
        #expect(!name.isEmpty && !name.contains("/") && !name.hasPrefix(".") && name.utf8.count <= 255)
    }
}
