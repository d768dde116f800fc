import SockeyeHTTP
import SockeyeTestSupport
import Testing

@Suite struct IDNATests {
    struct Case: Decodable {
        let id: String
        let input: String
        let output: String?
    }

    // Skipped where the conformance data is not beside the checkout.
    @Test(
        "names become A-labels as in the public test suites",
        .enabled(if: Vectors.exist("url/idna.json"), Vectors.absence),
        arguments: ["url/toascii.json", "url/idna.json"]
    )
    func conformance(file: String) throws {
        for item in Vectors.load(file, as: Case.self) {
            // The host parser refuses a delimiter in the result, not IDNA.
            let output = IDNA.toASCII(item.input)
            let host = output.flatMap { $0.utf8.contains { " #%/:<>?@[\\]^|".utf8.contains($0) } ? nil : $0 }
            #expect(host == item.output, "\(item.id): \(item.input)")
        }
    }
}
