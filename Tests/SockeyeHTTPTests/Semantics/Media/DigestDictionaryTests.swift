import Foundation
import SockeyeHTTP
import SockeyeTestSupport
import Testing

/// The dictionaries of `structured-fields`, as far as digest fields use them.
@Suite(.enabled(if: Vectors.arePresent, Vectors.absence)) struct DigestDictionaryTests {
    struct Case: Decodable, Sendable {
        let id: String
        let headerType: String?
        let raw: [String]?
        let mustFail: Bool?
    }

    @Test("valid dictionaries are read and others refused, except inner lists, which digests do not have")
    func dictionaries() {
        let cases = Vectors.load("structured-fields/cases.json", as: Case.self)
        var count = 0
        for vector in cases where vector.headerType == "dictionary" {
            guard let raw = vector.raw, !raw.contains(where: { $0.contains("(") || $0.contains("%\"") }) else {
                continue
            }
            count += 1
            let isRead = ByteSequenceDictionary.parse(raw) != nil
            #expect(isRead == (vector.mustFail != true), "\(vector.id): \(raw)")
        }
        #expect(count > 150)
    }
}
