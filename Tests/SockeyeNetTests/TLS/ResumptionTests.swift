import SockeyeCore
import SockeyeNet
import SockeyePlatform
import SockeyeTesting
import Synchronization
import Testing

@Suite("TLS session resumption", .timeLimit(.minutes(1)))
struct ResumptionTests {
    /// Connects once, reads the server's messages after the handshake, and closes properly. Returns true if the session
    /// was resumed.
    private func resumes(_ pair: HandshakePair, collecting: Bool = true) async throws -> Bool {
        let (client, server) = try await pair.connect()
        try await server.sendAll([1])
        if collecting { #expect(try await client.receive(1) == [1]) }
        let info = try #require(client.info)
        #expect(info.isResumed == server.info?.isResumed)
        #expect(info.peerCertificates == [Authority.server.der])
        client.close()
        server.close()
        return info.isResumed
    }

    @Test("the second handshake resumes the session", arguments: TLSOptions.Version.allCases)
    func resumption(version: TLSOptions.Version) async throws {
        var pair = try HandshakePair(Authority.trusting { $0.maximumVersion = version })
        pair.sessions = TLSSessionCache()
        #expect(try await !resumes(pair))
        #expect(try await resumes(pair))
        #expect(try await resumes(pair))
    }

    @Test("a session of TLS 1.3 is used once, one of TLS 1.2 repeatedly")
    func singleUse() async throws {
        let sessions = TLSSessionCache()
        var pair = try HandshakePair()
        pair.sessions = sessions
        _ = try await resumes(pair)
        #expect(sessions.count == 2)
        // Nothing is read, so no new tickets arrive while the two are used up.
        #expect(try await resumes(pair, collecting: false))
        #expect(sessions.count == 1)
        #expect(try await resumes(pair, collecting: false))
        #expect(sessions.count == 0)
        #expect(try await !resumes(pair, collecting: false))
        var older = try HandshakePair(Authority.trusting { $0.maximumVersion = .v1_2 })
        older.sessions = sessions
        _ = try await resumes(older)
        for _ in 0..<3 { #expect(try await resumes(older, collecting: false)) }
        #expect(sessions.count == 1)
    }

    @Test("a session survives a connection that ends without close_notify")
    func rudeEnd() async throws {
        for version in TLSOptions.Version.allCases {
            var pair = try HandshakePair(Authority.trusting { $0.maximumVersion = version })
            pair.sessions = TLSSessionCache()
            do {
                let (client, server) = try await pair.connect()
                try await server.sendAll([1])
                #expect(try await client.receive(1) == [1])
            }
            #expect(try await resumes(pair))
        }
    }

    @Test("hosts, keys and verification settings do not share sessions")
    func separation() async throws {
        var pair = try HandshakePair(Authority.trusting { $0.verification = .none })
        let sessions = TLSSessionCache()
        pair.sessions = sessions
        _ = try await resumes(pair)
        pair.host = "127.0.0.1"
        #expect(try await !resumes(pair))
        pair.host = "localhost"
        pair.sessionKey = "another proxy"
        #expect(try await !resumes(pair))
        pair.sessionKey = "key"
        let strict = try HandshakePair(TLSOptions(roots: Authority.untrusted.roots))
        pair.client = strict.client
        #expect(try await pair.run().clientFailure?.reason == .untrustedRoot)
    }

    @Test("a server without sessions, or that has lost them, gets a full handshake")
    func noSessions() async throws {
        for version in TLSOptions.Version.allCases {
            var pair = try HandshakePair(
                Authority.trusting { $0.maximumVersion = version }, Authority.serving { $0.offersSessions = false })
            pair.sessions = TLSSessionCache()
            #expect(try await !resumes(pair))
            #expect(try await !resumes(pair))
            pair.server = try TLSServerContext(Authority.serving())
            #expect(try await !resumes(pair))
            pair.server = try TLSServerContext(Authority.serving())
            #expect(try await !resumes(pair))
            #expect(try await resumes(pair))
        }
    }

    @Test("without a cache no session is resumed")
    func noCache() async throws {
        let pair = try HandshakePair()
        #expect(try await !resumes(pair))
        #expect(try await !resumes(pair))
    }

    @Test("the session cache is bounded, and the least recently used sessions are evicted first")
    func bound() async throws {
        let sessions = TLSSessionCache(capacity: 4)
        var pair = try HandshakePair()
        pair.sessions = sessions
        for key in ["a", "b", "c"] {
            pair.sessionKey = key
            _ = try await resumes(pair)
            #expect(sessions.count <= 4)
        }
        pair.sessionKey = "c"
        #expect(try await resumes(pair, collecting: false))
        pair.sessionKey = "a"
        #expect(try await !resumes(pair, collecting: false))
        sessions.removeAll()
        #expect(sessions.count == 0)
    }

    @Test("a session is not resumed after an intermediate certificate of its chain has expired")
    func expiredIntermediate() async throws {
        var options = TestCertificateOptions()
        options.validUntil = .seconds(600)
        let certificate = try Authority.root.intermediate(options: options).issue()
        let client = Authority.trusting { $0.maximumVersion = .v1_2 }
        let passed = Mutex(0)
        var pair = try HandshakePair(client, Authority.serving(certificate))
        pair.sessions = TLSSessionCache { Int(SystemClock.unixTime) + passed.withLock { $0 } }
        #expect(try await pair.connect().client.info?.isResumed == false)
        #expect(try await pair.connect().client.info?.isResumed == true)
        passed.withLock { $0 = 700 }
        #expect(try await pair.connect().client.info?.isResumed == false)
    }

    @Test("a session captured before the server was refused is not used")
    func refusedServer() async throws {
        let wrongHost = Authority.serving(try Authority.root.issue(TestCertificateOptions(dnsNames: ["elsewhere"])))
        for version in TLSOptions.Version.allCases {
            var pair = try HandshakePair(Authority.trusting { $0.maximumVersion = version }, wrongHost)
            let sessions = TLSSessionCache()
            pair.sessions = sessions
            for _ in 0..<2 { #expect(try await pair.run().clientFailure?.reason == .hostNameMismatch) }
            #expect(sessions.count == 0)
        }
    }
}
