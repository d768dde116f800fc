import SockeyeNet
import SockeyeTesting
import Testing

@Suite("Certificate names as text", .timeLimit(.minutes(1)))
struct CertificateNameTests {
    @Test(
        "a name has at most 256 bytes, also if the limit falls inside a character",
        arguments: [("a", 64), ("\u{20AC}", 64), ("\u{1F41F}", 63)])
    func bounds(character: String, shown: Int) throws {
        var options = TestCertificateOptions()
        // RFC 5280, appendix A.1, allows 64 characters.
        options.commonName = String(repeating: character, count: 64)
        let certificate = TLSCertificate(der: try Authority.root.issue(options).der)
        #expect(certificate.subject == "CN=" + String(repeating: character, count: shown))
        #expect(certificate.subject.utf8.count <= 256)
    }

    @Test("a name has no characters that steer a terminal or the direction of text", arguments: [0x9B, 0x202E, 0x2028])
    func controls(value: UInt32) throws {
        var options = TestCertificateOptions()
        options.commonName = "a\(String(try #require(Unicode.Scalar(value))))b"
        let certificate = TLSCertificate(der: try Authority.root.issue(options).der)
        #expect(certificate.subject == "CN=a\\u{\(String(value, radix: 16, uppercase: true))}b")
    }
}
