import SockeyeCore
import SockeyeHTTP
import SockeyeTestSupport
import Testing

/// The test vectors of character sets: texts with the label of their charset, and tables of multi-byte characters.
@Suite struct CharacterSetTests {
    private struct Case: Decodable, Sendable {
        let id: String
        let charset: String?
        let body: ByteString
        let text: String?

        static let all: [Case] = Vectors.load(own: "character-sets.json", public: ["charsets/labels.json"])
    }

    @Test("every text and every line of the tables is decoded as the Encoding standard says")
    func texts() throws {
        for vector in Case.all {
            guard let text = vector.text else { continue }
            let decoder = TextDecoder(label: vector.charset ?? "utf-8")
            let decoded = decoder?.decode(vector.body.bytes)
            // Scalars, because Swift's == treats canonically equivalent texts as equal.
            let wanted = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
            let seen = (decoded ?? "").unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
            let differences = zip(wanted, seen).filter { !$0.0.elementsEqual($0.1) }.count
            #expect(wanted.count == seen.count && differences == 0, "\(vector.id): \(differences) lines differ")
        }
    }
}
