import SockeyeCore
import SockeyeHTTP

/// Challenges of servers, and the credentials that answer them.
enum ChallengeTargets {
    /// The input has WWW-Authenticate and Authentication-Info fields, one on each line.
    static let challenges: FuzzTarget = { bytes in
        let lines = FuzzInput(bytes).text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let challenges = ChallengeParser.challenges(in: lines)
        require(challenges.count <= ChallengeParser.maximumChallenges, "\(challenges.count) challenges")
        guard let url = try? HTTPURL("https://host/a/b?c") else { return }
        var memory = ProtectionSpaceStore()
        let credential = Credential.user("us\"er", password: "päss\\word")
        let request = DigestRequest(method: "GET", target: "/a/b?c", content: Bytes("body"))
        for challenge in SupportedChallenge.ranked(challenges) {
            _ = (
                challenge.isStale, challenge.revealsCredential, challenge.fits(credential), challenge.prefixes(at: url)
            )
            let begun = try? ProtectionSpaceStore.Draft(challenge, with: credential, at: url) { "cnonce" }
            guard var draft = begun, let made = draft.answer(request) else { continue }
            memory.remember(draft, at: url)
            check(made.authorization)
        }
        for line in lines {
            guard let nonce = AuthenticationInfo(line).nextNonce else { continue }
            memory.renew(challenges.first?["nonce"] ?? "", of: url.origin, by: nonce, clientNonce: "cnonce")
        }
        var draft = memory.draft(at: url, hasContent: true) { _, _, _ in true }
        if let made = draft?.answer(request) { check(made.authorization) }
    }

    /// Checks that quotes are paired, so that no text of a server ends a parameter and begins another.
    private static func check(_ authorization: String) {
        var isQuoted = false
        var isEscaped = false
        for byte in authorization.utf8 {
            if isEscaped {
                isEscaped = false
            } else if isQuoted, byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            }
        }
        require(!isQuoted, "an open quote")
        let parsed = ChallengeParser.challenges(in: [authorization])
        require(parsed.count == 1, "an answer that parses as \(parsed.count) answers")
        if authorization.hasPrefix("Digest ") { require(parsed[0]["uri"] == "/a/b?c", "another target is answered") }
    }

    /// Reads files with the logins of hosts.
    static let netrc: FuzzTarget = { bytes in
        guard let netrc = try? NetrcParser.parse(FuzzInput(bytes).text) else { return }
        _ = (netrc.credential(for: "host"), netrc.credential(for: "HOST", user: "user"), netrc.defaultCredential())
        require(netrc.description.utf8.count < 40, "a description that shows the file's content")
    }
}
