import SockeyeHTTP
import SockeyeTestSupport
import Testing

@Suite("The parser of authentication challenges") struct ChallengeParserTests {
    /// Returns one line for each challenge: its scheme, its token, and its parameters in alphabetical order of their
    /// names.
    private func read(_ values: String...) -> [String] {
        ChallengeParser.challenges(in: values).map { challenge in
            let names = ["charset", "nonce", "qop", "realm", "title"]
            let parameters = names.compactMap { name in challenge[name].map { "\(name)=\($0)" } }
            return ([challenge.scheme, challenge.token].compactMap(\.self) + parameters).joined(separator: " ")
        }
    }

    @Test(
        "several challenges are read from one field, with commas in any place",
        arguments: [
            (#"Basic realm="a""#, ["Basic realm=a"]),
            ("basic REALM=a", ["basic realm=a"]),
            (
                #"Newauth realm="apps", title="Login to \"apps\"", Basic realm="simple""#,
                ["Newauth realm=apps title=Login to \"apps\"", "Basic realm=simple"]
            ),
            ("Negotiate", ["Negotiate"]),
            ("Negotiate, NTLM", ["Negotiate", "NTLM"]),
            ("Negotiate abc+/._~-==", ["Negotiate abc+/._~-=="]),
            (#"Negotiate abc==, Basic realm="x, y""#, ["Negotiate abc==", "Basic realm=x, y"]),
            (#",, Basic , , realm = "a" ,,Digest nonce=n ,"#, ["Basic realm=a", "Digest nonce=n"]),
            ("Basic\trealm\t=\ta", ["Basic realm=a"]),
            (#"Digest realm="a\\b\"", nonce="""#, [#"Digest nonce= realm=a\b""#]),
            (#"Digest qop="auth, auth-int", realm="gr\#u{FC}n""#, ["Digest qop=auth, auth-int realm=gr\u{FC}n"]),
            ("Digest nonce=1, nonce=1, realm=a", ["Digest nonce=1 realm=a"]),
            ("", []), (" , ,", []),
        ] as [(String, [String])])
    func readable(value: String, expected: [String]) {
        #expect(read(value) == expected)
    }

    @Test(
        "challenges that cannot be read are left out, and the others are kept",
        arguments: [
            (#"Digest realm="never ends"#, []),
            (#"Digest realm="a" junk, Basic realm=b"#, ["Basic realm=b"]),
            ("realm=a, Basic realm=b", ["Basic realm=b"]),
            ("Digest nonce=1, nonce=2, realm=a, Basic realm=b", ["Basic realm=b"]),
            ("Basic realm=, Digest nonce=n", ["Basic realm=", "Digest nonce=n"]),
            ("Digest realm=a, nonce=, Basic realm=b", ["Basic realm=b"]),
            (#"@ "a, b", Basic realm=b"#, ["Basic realm=b"]),
            (#"Ba"sic realm=a, Digest nonce=n"#, []),
            ("Digest realm=a;b, Basic realm=b", ["Basic realm=b"]),
            (#"Digest realm="a\"#, []),
        ] as [(String, [String])])
    func unreadable(value: String, expected: [String]) {
        #expect(read(value) == expected)
    }

    @Test(
        "malformed parameters are accepted in challenges of all schemes except Digest",
        arguments: [
            ("Basic realm=Secure Area", ["Basic realm=Secure Area"]), ("Basic realm=a/b", ["Basic realm=a/b"]),
            ("Basic realm=a;b, Digest nonce=n", ["Basic realm=a;b", "Digest nonce=n"]),
            ("Basic realm=My Site , charset=UTF-8", ["Basic charset=UTF-8 realm=My Site"]),
            (#"Basic realm="a" charset="UTF-8", Digest nonce=n"#, ["Basic realm=a", "Digest nonce=n"]),
            (#"Basic realm="never ends"#, [#"Basic realm="never ends"#]), (#"Basic realm="a\"#, [#"Basic realm="a\"#]),
            (#"Basic "Secure Area""#, ["Basic"]), ("Basic realm=a, @;, charset=x", ["Basic charset=x realm=a"]),
            ("Basic realm=a, realm=b", ["Basic realm=a"]), ("Bearer realm=my api, scope=a/b", ["Bearer realm=my api"]),
            ("Digest realm=a b, nonce=n, Basic realm=a b", ["Basic realm=a b"]),
            ("Negotiate abc==, realm=a, Basic realm=b", ["Negotiate abc==", "Basic realm=b"]),
        ] as [(String, [String])])
    func lenient(value: String, expected: [String]) {
        #expect(read(value) == expected)
    }

    @Test("challenges of several fields are read in order, and none continues in the next field")
    func severalFields() {
        #expect(read("Basic realm=a", "realm=b", "Digest nonce=n") == ["Basic realm=a", "Digest nonce=n"])
        #expect(read(#"Basic realm="a"#, #"b", Digest nonce=n"#) == [#"Basic realm="a"#])
    }

    @Test("the numbers of challenges and of their parameters are limited")
    func limits() {
        let many = Array(repeating: "Basic realm=a", count: 100).joined(separator: ", ")
        #expect(ChallengeParser.challenges(in: [many, many]).count == ChallengeParser.maximumChallenges)
        let parameters = (0...ChallengeParser.maximumParameters).map { "p\($0)=1" }.joined(separator: ", ")
        #expect(read("Digest \(parameters), Basic realm=b") == ["Basic realm=b"])
        let long = String(repeating: "\u{301}", count: ChallengeParser.maximumValueLength / 2 + 1)
        #expect(read("Basic realm=\"\(long)\", Basic realm=b") == ["Basic realm=b"])
    }

    @Test("any text is read without a trap and in linear time")
    func noise() {
        var random = SplitMix(seed: 7)
        let alphabet = Array("Basic Digest realm=\"a\\\",;=\t@é ")
        for _ in 0..<2_000 {
            let count = Int.random(in: 0..<60, using: &random)
            let text = String((0..<count).map { _ in alphabet[Int.random(in: alphabet.indices, using: &random)] })
            for challenge in ChallengeParser.challenges(in: [text]) { #expect(!challenge.scheme.isEmpty) }
        }
        #expect(read(String(repeating: "\"", count: 60_001)) == [])
        #expect(read(String(repeating: "a=\"\\", count: 16_000)) == [])
    }

    @Test("many malformed members after a long scheme are skipped in linear time")
    func longScheme() {
        let scheme = String(repeating: "A", count: 200_000)
        let value = scheme + " " + String(repeating: ",=", count: 100_000)
        let time = ProcessMeter.processorTime {
            #expect(ChallengeParser.challenges(in: [value]).map(\.scheme) == [scheme])
        }
        #expect(time < .seconds(5), "\(time)")
    }

    @Test("the description of a challenge omits nonce and token")
    func description() {
        let challenges = ChallengeParser.challenges(in: [#"Digest realm="in\"box", nonce=n0nce, Negotiate t0ken"#])
        #expect(challenges.map(\.description) == [#"Digest realm="in\"box""#, "Negotiate"])
    }

    @Test("only the next nonce is read from Authentication-Info")
    func information() {
        #expect(AuthenticationInfo(#"rspauth="a", nextnonce="b\"c", qop=auth"#).nextNonce == "b\"c")
        #expect(AuthenticationInfo("nextnonce=n").nextNonce == "n")
        for value in ["", "qop=auth", "nextnonce", #"nextnonce="a"#, "nextnonce=a, nextnonce=b"] {
            #expect(AuthenticationInfo(value).nextNonce == nil)
        }
    }
}
