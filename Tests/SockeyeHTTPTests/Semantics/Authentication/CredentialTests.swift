import SockeyeHTTP
import SockeyeTestSupport
import Testing

@Suite("Credentials") struct CredentialTests {
    @Test(
        "credentials become the value of a field",
        arguments: [
            // RFC 7617 2 and 2.1.
            (Credential.user("Aladdin", password: "open sesame"), "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
            (.user("test", password: "123\u{A3}"), "Basic dGVzdDoxMjPCow=="),
            // The same names in Normalization Form D.
            (.user("J\u{61}\u{308}s", password: "\u{E4}"), "Basic SsOkczrDpA=="),
            (.user("J\u{E4}s", password: "a\u{308}"), "Basic SsOkczrDpA=="),
            (.user("", password: ""), "Basic Og=="), (.user("a", password: "b:c"), "Basic YTpiOmM="),
            (.bearer("mF_9.B5f-4.1JqM"), "Bearer mF_9.B5f-4.1JqM"), (.bearer("1|abc:d"), "Bearer 1|abc:d"),
        ])
    func fieldValue(credential: Credential, value: String) throws {
        #expect(try credential.authorization == value)
    }

    @Test(
        "credentials that cannot be sent are refused",
        arguments: [
            (Credential.user("a:b", password: ""), CredentialFault.colonInUser),
            (.user("a\n", password: ""), .controlCharacter), (.user("a", password: "\u{7F}"), .controlCharacter),
            (.user("a", password: "\0"), .controlCharacter), (.bearer(""), .invalidToken),
            (.user(String(repeating: "a", count: 16_385), password: ""), .tooLong),
            (.user("a", password: String(repeating: "\u{301}", count: 80_000)), .tooLong),
            (.bearer("a b"), .invalidToken), (.bearer("a\r\nX: y"), .invalidToken), (.bearer("t\u{F6}"), .invalidToken),
        ])
    func faults(credential: Credential, fault: CredentialFault) {
        #expect(throws: fault) { try credential.authorization }
    }

    @Test("credentials of up to 16,384 bytes each are accepted and encoded quickly")
    func longest() throws {
        let marks = String(String.UnicodeScalarView((0..<8192).map { $0 % 2 == 0 ? "\u{301}" : "\u{316}" }))
        let time = try ProcessMeter.processorTime { _ = try Credential.user(marks, password: marks).authorization }
        #expect(time < .seconds(2))
    }

    @Test("descriptions and dumps do not show credentials")
    func secrecy() throws {
        var text = ""
        let digest = try #require(
            SupportedChallenge.ranked(ChallengeParser.challenges(in: ["Digest realm=r, nonce=n"])).first)
        var memory = ProtectionSpaceStore()
        let url = try HTTPURL("http://a/")
        var draft = try #require(
            try ProtectionSpaceStore.Draft(
                digest, with: .user("ada", password: "l0velace"), at: url, clientNonce: { "c" }))
        let made = draft.answer(DigestRequest(method: "GET", target: "/", content: nil))
        memory.remember(draft, at: url)
        let values: [Any] = [
            Credential.user("ada", password: "l0velace"), Credential.bearer("l0velace"), memory, draft, made as Any,
            try NetrcParser.parse("machine a login ada password l0velace"),
        ]
        for value in values {
            print(value, terminator: "", to: &text)
            dump(value, to: &text)
        }
        #expect(!text.contains("ada") && !text.contains("l0velace") && !text.contains("response"), "\(text)")
    }

    @Test(
        "the name and the addresses of loopback are recognised",
        arguments: [
            ("localhost", true), ("a.localhost", true), ("127.0.0.1", true), ("127.9.8.7", true), ("[::1]", true),
            ("localhost.", true), ("a.localhost.", true), ("1.localhost", true),
            ("localhost.example.com", false), ("127.0.0.1.example.com", false), ("128.0.0.1", false),
            ("[::2]", false), ("notlocalhost", false), ("example.com", false), ("0.0.0.0", false),
        ])
    func loopback(host: String, isLoopback: Bool) throws {
        #expect(try HTTPURL("http://\(host)/").origin.isLoopback == isLoopback)
        #expect(try HTTPURL("http://\(host)/").isLoopback == isLoopback)
    }
}
