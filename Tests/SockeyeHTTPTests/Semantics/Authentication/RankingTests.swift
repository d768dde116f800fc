import SockeyeHTTP
import Testing

@Suite("The choice among authentication challenges") struct RankingTests {
    private func ranked(_ values: String...) -> [SupportedChallenge] {
        SupportedChallenge.ranked(ChallengeParser.challenges(in: values))
    }

    @Test("challenges are ranked by strength, and equally strong ones keep their order")
    func strength() {
        let order = ranked(
            "Basic realm=b1, Bearer realm=t, Digest realm=m, nonce=n", "Digest realm=s, nonce=n, algorithm=SHA-256",
            "Basic realm=b2", "Negotiate", "Digest realm=l, nonce=n, algorithm=SHA-512-256, qop=auth",
            "Digest realm=s2, nonce=n, algorithm=SHA-256-sess, qop=auth", "Digest realm=x, nonce=n, algorithm=X")
        #expect(order.map(\.realm) == ["l", "s", "s2", "m", "t", "b1", "b2"])
    }

    @Test("each scheme takes only its own kind of credential")
    func kinds() {
        let order = ranked("Basic realm=b, Bearer realm=t, Digest realm=m, nonce=n")
        #expect(order.map { $0.fits(.user("a", password: "b")) } == [true, false, true])
        #expect(order.map { $0.fits(.bearer("a")) } == [false, true, false])
        #expect(order.map(\.revealsCredential) == [false, true, true])
    }

    @Test(
        "the challenge determines the paths for which its credentials are valid",
        arguments: [
            ("Basic realm=a", ["/dir/"]), ("Digest realm=a, nonce=n", ["/"]),
            (
                "Digest realm=a, nonce=n, domain=\"/x rel https://h/y http://other/z /q?a\"",
                ["/x", "/dir/rel", "/y", "/q"]
            ),
            ("Digest realm=a, nonce=n, domain=\"http://other/z ftp://h/ http://[\"", ["/dir/"]),
        ])
    func spaces(challenge: String, prefixes: [String]) throws {
        #expect(try ranked(challenge).first?.prefixes(at: HTTPURL("https://h/dir/page?q=/a/b")) == prefixes)
    }
}
