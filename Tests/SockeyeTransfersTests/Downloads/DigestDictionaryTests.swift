import Foundation
import SockeyeTestSupport
import SockeyeTransfers
import Testing

/// Dictionaries of structured fields (RFC 9651 3.2), as far as digest fields use them.
@Suite struct DigestDictionaryTests {
    struct Case: Decodable, Sendable {
        let id: String
        let headerType: String?
        let raw: [String]?
        let mustFail: Bool?
    }

    @Test("valid dictionaries are read and others refused, in all cases without inner lists and display strings")
    func dictionaries() {
        let files = ["structured-fields/cases.json"]
        let cases = Vectors.load(own: "dictionaries.json", public: files, as: Case.self)
        var count = 0
        for vector in cases where vector.headerType == "dictionary" {
            guard let raw = vector.raw, !raw.contains(where: { $0.contains("(") || $0.contains("%\"") }) else {
                continue
            }
            count += 1
            let isRead = ByteSequenceDictionary.parse(raw) != nil
            #expect(isRead == (vector.mustFail != true), "\(vector.id): \(raw)")
        }
        #expect(count >= (Vectors.hasPublicCases ? 150 : 40))
    }
}
