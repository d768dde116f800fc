import SockeyeHTTP
import Testing

@Suite("The authentication attempts of a call") struct AuthenticationAttemptsTests {
    private let ada = Credential.user("ada", password: "l")

    private func challenge(_ text: String) throws -> SupportedChallenge {
        try #require(SupportedChallenge.ranked(ChallengeParser.challenges(in: [text])).first)
    }

    /// Returns for each challenge in turn if it is answered.
    private func answers(_ round: AuthenticationAttempts = AuthenticationAttempts(), _ challenges: String...) throws
        -> [Bool]
    {
        var round = round
        return try challenges.map { text in
            let challenge = try challenge(text)
            guard round.permits(challenge, ada) else { return false }
            round.answered(challenge, with: ada)
            return true
        }
    }

    @Test("a credential is sent once per realm and scheme")
    func once() throws {
        let fresh = AuthenticationAttempts()
        #expect(try answers(fresh, "Basic realm=a", "Basic realm=a", "Basic realm=b") == [true, false, true])
        #expect(try answers(fresh, "Digest realm=a, nonce=1", "Digest realm=a, nonce=2") == [true, false])
        #expect(try answers(fresh, "Digest realm=a, nonce=1", "Basic realm=a") == [true, true])
    }

    @Test("a stale nonce permits one more answer if the server offers a new nonce")
    func stale() throws {
        let stale = ["2", "3"].map { "Digest realm=a, nonce=\($0), stale=TRUE" }
        #expect(
            try answers(AuthenticationAttempts(), "Digest realm=a, nonce=1", stale[0], stale[1]) == [true, true, false])
        #expect(
            try answers(AuthenticationAttempts(), "Digest realm=a, nonce=1", "Digest realm=a, nonce=1, stale=true")
                == [true, false])
    }

    @Test("credentials that were sent preemptively count as an attempt")
    func unasked() throws {
        var basic = AuthenticationAttempts()
        basic.refusedPreemptive(ada, realm: "", nonce: nil)
        #expect(basic.failures == 1)
        #expect(try answers(basic, "Basic realm=a", "Digest realm=a, nonce=1") == [false, true])
        var digest = AuthenticationAttempts()
        digest.refusedPreemptive(ada, realm: "a", nonce: "1")
        // The server refused the nonce that it still offers, so the credential is wrong. If the server offers another
        // nonce, the refused one may have been too old.
        #expect(try answers(digest, "Digest realm=a, nonce=1") == [false])
        #expect(try answers(digest, "Digest realm=a, nonce=2", "Digest realm=a, nonce=3") == [true, false])
        #expect(
            try answers(digest, "Digest realm=a, nonce=2, stale=true", "Digest realm=a, nonce=3, stale=true")
                == [true, true])
    }

    @Test("the number of answers is limited, whatever the credentials")
    func limit() throws {
        var round = AuthenticationAttempts()
        let basic = try challenge("Basic realm=a")
        var count = 0
        while count < 100 {
            let credential = Credential.user("\(count)", password: "")
            guard round.permits(basic, credential) else { break }
            round.answered(basic, with: credential)
            round.refused()
            count += 1
        }
        #expect(count == AuthenticationAttempts.maximumAnswers && round.failures == count && round.areExhausted)
    }
}
