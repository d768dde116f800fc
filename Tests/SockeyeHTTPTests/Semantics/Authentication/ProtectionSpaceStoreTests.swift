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
        try memory.answer(
            try challenge(text), with: ada, to: request, at: try HTTPURL(url), clientNonce: { "c" })
    }

    private func recall(_ url: String, in memory: inout ProtectionSpaceStore) throws -> ChallengeAnswer? {
        memory.answer(request, at: try HTTPURL(url)) { _, _, _ in true }
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
        let refusing = memory.answer(request, at: try HTTPURL("https://a/x/")) { _, _, _ in false }
        #expect(refusing == nil)
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
        let first = try #require(
            try memory.answer(digest, with: ada, to: request, at: url, over: "/run/a", clientNonce: { "c" }))
        for socket in ["/run/b", nil] {
            let foreign = memory.answer(request, at: url, over: socket) { _, _, _ in true }
            #expect(foreign == nil)
            memory.forget(first, of: url.origin, over: socket)
            memory.renew("1", of: url.origin, over: socket, by: "2", clientNonce: "d")
        }
        let answer = memory.answer(request, at: url, over: "/run/a") { _, _, _ in true }
        #expect(answer?.nonce == "1")
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
