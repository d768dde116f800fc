import SockeyeCore
import SockeyeHTTP
import Testing

@Suite("The store of protection spaces") struct ProtectionSpaceStoreTests {
    private let ada = Credential.user("ada", password: "l")
    private let request = DigestRequest(method: "GET", target: "/", content: nil)

    private func challenge(_ text: String) throws -> SupportedChallenge {
        try #require(SupportedChallenge.ranked(ChallengeParser.challenges(in: [text])).first)
    }

    private func learn(_ text: String, at url: String, in memory: inout ProtectionSpaceStore) throws -> ChallengeAnswer?
    {
        var draft = try ProtectionSpaceStore.Draft(
            try challenge(text), with: ada, at: try HTTPURL(url), clientNonce: { "c" })
        let answer = draft?.answer(request)
        if let draft, answer != nil { memory.remember(draft, at: try HTTPURL(url)) }
        return answer
    }

    private func recall(_ url: String, in memory: inout ProtectionSpaceStore) throws -> ChallengeAnswer? {
        var draft = memory.draft(at: try HTTPURL(url), hasContent: false) { _, _, _ in true }
        return draft?.answer(request)
    }

    @Test("the space of a Basic challenge is the directory of the challenged URL at the same origin")
    func extent() throws {
        var memory = ProtectionSpaceStore()
        #expect(memory.isEmpty)
        #expect(try learn("Basic realm=r", at: "https://a/x/y", in: &memory)?.authorization == "Basic YWRhOmw=")
        #expect(try recall("https://a/x/z", in: &memory)?.realm == "r")
        #expect(try recall("https://a/x/z/deep?q", in: &memory) != nil)
        for other in ["https://a/", "https://a/xy", "http://a/x/y", "https://a:444/x/y", "https://b/x/y"] {
            #expect(try recall(other, in: &memory) == nil, "\(other)")
        }
        let refusing = memory.draft(at: try HTTPURL("https://a/x/"), hasContent: false) { _, _, _ in false }
        #expect(refusing == nil)
    }

    @Test("the space of a proxy's Digest challenge is the whole proxy, whatever `domain` names (RFC 7616 3.3)")
    func proxy() throws {
        let url = try HTTPURL("http://proxy:3128/")
        let digest = try challenge("Digest realm=r, nonce=1, qop=auth, domain=\"/x\"")
        for isForProxy in [false, true] {
            var memory = ProtectionSpaceStore()
            let draft = try ProtectionSpaceStore.Draft(
                digest, with: ada, at: url, isForProxy: isForProxy, clientNonce: { "c" })
            memory.remember(try #require(draft), at: url)
            #expect((try recall("http://proxy:3128/", in: &memory) != nil) == isForProxy)
        }
    }

    @Test("an answer over one socket is not used over another socket whose path differs only in bytes")
    func equivalentSockets() throws {
        var memory = ProtectionSpaceStore()
        let (composed, decomposed) = ("/run/\u{E9}.sock", "/run/e\u{301}.sock")
        let url = try HTTPURL("http://a/")
        let basic = try challenge("Basic realm=r")
        let draft = try #require(try ProtectionSpaceStore.Draft(basic, with: ada, at: url, clientNonce: { "c" }))
        memory.remember(draft, at: url, over: composed)
        for (path, isKnown) in [(composed, true), (decomposed, false)] {
            let found = memory.draft(at: url, over: path, hasContent: false) { _, _, _ in true }
            #expect((found != nil) == isKnown)
        }
    }

    @Test("the store chooses the space with the longest matching path, and the latest if several are equally long")
    func closest() throws {
        var memory = ProtectionSpaceStore()
        _ = try learn("Digest realm=all, nonce=1, qop=auth", at: "https://a/x/y", in: &memory)
        _ = try learn("Basic realm=inner", at: "https://a/in/y", in: &memory)
        #expect(try recall("https://a/in/z", in: &memory)?.realm == "inner")
        #expect(try recall("https://a/z", in: &memory)?.realm == "all")
        _ = try learn("Digest realm=later, nonce=2, qop=auth", at: "https://a/x/y", in: &memory)
        #expect(try recall("https://a/z", in: &memory)?.realm == "later")
    }

    @Test("a space counts the answers made with a nonce, and starts again with the next nonce")
    func nonces() throws {
        var memory = ProtectionSpaceStore()
        let first = try #require(try learn("Digest realm=r, nonce=1, qop=auth", at: "http://a/", in: &memory))
        #expect(first.authorization.contains("nc=00000001") && first.nonce == "1")
        #expect(try recall("http://a/q", in: &memory)?.authorization.contains("nc=00000002") == true)
        let origin = try HTTPURL("http://a/").origin
        memory.renew("other", of: origin, by: "2", clientNonce: "d")
        #expect(try recall("http://a/q", in: &memory)?.nonce == "1")
        memory.renew("1", of: origin, by: "2", clientNonce: "d")
        let renewed = try #require(try recall("http://a/q", in: &memory))
        #expect(renewed.nonce == "2" && renewed.authorization.contains("nc=00000001"))
        // The refused answer was made with an older nonce than the one in use, so the space stays.
        memory.forget(first, of: origin)
        #expect(try recall("http://a/q", in: &memory) != nil)
        memory.forget(renewed, of: origin)
        #expect(memory.isEmpty)
    }

    @Test("an origin that is reached over a unix-domain socket has protection spaces of its own")
    func sockets() throws {
        var memory = ProtectionSpaceStore()
        let url = try HTTPURL("http://localhost/")
        let digest = try challenge("Digest realm=r, nonce=1, qop=auth")
        var draft = try #require(try ProtectionSpaceStore.Draft(digest, with: ada, at: url, clientNonce: { "c" }))
        let made = draft.answer(request)
        let first = try #require(made)
        memory.remember(draft, at: url, over: "/run/a")
        for socket in ["/run/b", nil] {
            let foreign = memory.draft(at: url, over: socket, hasContent: false) { _, _, _ in true }
            #expect(foreign == nil)
            memory.forget(first, of: url.origin, over: socket)
            memory.renew("1", of: url.origin, over: socket, by: "2", clientNonce: "d")
        }
        var own = memory.draft(at: url, over: "/run/a", hasContent: false) { _, _, _ in true }
        let answer = own?.answer(request)
        #expect(answer?.nonce == "1")
    }

    @Test("each answer has its own counter, even if the text of an earlier answer is made later, outside of a lock")
    func drafts() throws {
        var memory = ProtectionSpaceStore()
        let url = try HTTPURL("http://a/")
        let digest = try challenge("Digest realm=r, nonce=1, qop=auth-int")
        let request = DigestRequest(method: "PUT", target: "/", content: Bytes([1]))
        var first = try #require(try ProtectionSpaceStore.Draft(digest, with: ada, at: url, clientNonce: { "c" }))
        let answer = first.answer(request)
        #expect(answer?.authorization.contains("nc=00000001") == true)
        memory.remember(first, at: url)
        var drafts = (0..<2).map { _ in memory.draft(at: url, hasContent: true) { _, _, _ in true } }
        // An answer that cannot be made leaves no gap in the counters.
        let unread = memory.draft(at: url, hasContent: false) { _, _, _ in true }
        #expect(unread == nil)
        drafts.append(memory.draft(at: url, hasContent: true) { _, _, _ in true })
        for index in drafts.indices.reversed() {
            let answer = drafts[index]?.answer(request)
            #expect(answer?.authorization.contains("nc=0000000\(index + 2)") == true)
        }
    }

    @Test("the number of protection spaces is limited")
    func limits() throws {
        var memory = ProtectionSpaceStore()
        for number in 0...ProtectionSpaceStore.maximumServers {
            _ = try learn("Basic realm=r", at: "http://h\(number)/", in: &memory)
        }
        #expect(try recall("http://h0/", in: &memory) == nil)
        #expect(try recall("http://h1/", in: &memory) != nil)
        for number in 0...ProtectionSpaceStore.maximumSpaces {
            _ = try learn("Basic realm=r\(number)", at: "http://h1/\(number)/", in: &memory)
        }
        #expect(try recall("http://h1/0/", in: &memory) == nil)
        #expect(try recall("http://h1/1/", in: &memory) != nil)
    }
}
