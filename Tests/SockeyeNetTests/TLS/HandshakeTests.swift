import SockeyeCore
import SockeyeNet
import SockeyePlatform
import SockeyeTestSupport
import SockeyeTesting
import Testing

@Suite("TLS handshakes", .timeLimit(.minutes(1)))
struct HandshakeTests {
    @Test("a handshake agrees on the newest version and HTTP/1.1 and identifies the server")
    func plain() async throws {
        let (client, server) = try await HandshakePair().connect()
        let info = try #require(client.info)
        #expect(info.version == .v1_3)
        #expect(info.cipher.hasPrefix("TLS_"))
        #expect(info.applicationProtocol == "http/1.1")
        #expect(!info.isResumed && !info.isPinned)
        #expect(info.verification == .full)
        #expect(info.peerCertificates == [Authority.server.der])
        #expect(server.info?.applicationProtocol == "http/1.1")
        #expect(server.info?.peerCertificates == [])
        client.close()
        #expect(client.info == nil)
    }

    @Test("the client sends a DNS name as SNI without its final dot, and no IP address (RFC 6066 3)")
    func serverNames() async throws {
        for (host, name) in [("localhost", "localhost"), ("LOCALHOST.", "localhost"), ("127.0.0.1", nil), ("::1", nil)]
        {
            var pair = try HandshakePair()
            pair.host = host
            let (_, server) = try await pair.connect()
            #expect(server.info?.serverName == name)
        }
    }

    @Test("the client verifies and sends the configured server name instead of the host")
    func serverNameOverride() async throws {
        var pair = try HandshakePair(Authority.trusting { $0.serverName = "localhost" })
        pair.host = "10.1.2.3"
        let (_, server) = try await pair.connect()
        #expect(server.info?.serverName == "localhost")
    }

    @Test("a host that cannot be a server name is the caller's error")
    func badHost() async throws {
        var pair = try HandshakePair()
        pair.host = "two words"
        #expect(try await pair.run().clientFailure?.reason == .badConfiguration)
    }

    @Test("ALPN chooses the server's preference among the client's protocols, or none")
    func applicationProtocols() async throws {
        for (offered, accepted, chosen) in [
            (["http/1.1"], ["h2", "http/1.1"], "http/1.1"), (["a", "b"], ["b", "a"], "b"), ([], ["http/1.1"], nil),
            (["http/1.1"], ["spdy"], nil),
        ] as [([String], [String], String?)] {
            let pair = try HandshakePair(
                Authority.trusting { $0.applicationProtocols = offered },
                Authority.serving { $0.applicationProtocols = accepted })
            let (client, server) = try await pair.connect()
            #expect(client.info?.applicationProtocol == chosen)
            #expect(server.info?.applicationProtocol == chosen)
        }
    }

    @Test("the client's error reports the lack of a common version, whichever side is newer")
    func versions() async throws {
        let old = try HandshakePair(
            Authority.trusting { $0.minimumVersion = .v1_3 }, Authority.serving { $0.maximumVersion = .v1_2 })
        let outcome = try await old.run()
        #expect(outcome.clientFailure?.reason == .noCommonGround)
        #expect(outcome.clientFailure?.message.contains("version") == true)
        let new = try HandshakePair(
            Authority.trusting { $0.maximumVersion = .v1_2 }, Authority.serving { $0.minimumVersion = .v1_3 })
        #expect(try await new.run().clientFailure?.reason == .noCommonGround)
    }

    @Test("a handshake keeps to the configured maximum version and ciphers")
    func limits() async throws {
        let pair = try HandshakePair(
            Authority.trusting {
                $0.maximumVersion = .v1_2
                $0.ciphers = "ECDHE-ECDSA-AES128-GCM-SHA256"
            })
        let info = try await pair.connect().client.info
        #expect(info?.version == .v1_2)
        #expect(info?.cipher == "ECDHE-ECDSA-AES128-GCM-SHA256")
        let ordinary = try await HandshakePair().connect()
        #expect(ordinary.client.info?.cipher == "TLS_AES_128_GCM_SHA256")
        let suites = try HandshakePair(Authority.trusting { $0.cipherSuites = "TLS_CHACHA20_POLY1305_SHA256" })
        #expect(try await suites.connect().client.info?.cipher == "TLS_CHACHA20_POLY1305_SHA256")
    }

    @Test("a cipher without authentication is never offered, because no certificate would be verified")
    func anonymousCipher() async throws {
        let pair = try HandshakePair(
            Authority.trusting {
                $0.maximumVersion = .v1_2
                $0.ciphers = "ALL:@SECLEVEL=0"
            },
            Authority.serving {
                $0.ciphers = "aNULL"
                $0.securityLevel = 0
            })
        #expect(try await pair.run().clientFailure?.reason == .noCommonGround)
    }

    @Test("the lack of a common cipher is reported as such", arguments: [TLSOptions.Version.v1_2, .v1_3])
    func ciphers(version: TLSOptions.Version) async throws {
        let pair = try HandshakePair(
            Authority.trusting {
                $0.maximumVersion = version
                $0.ciphers = "ECDHE-ECDSA-AES128-GCM-SHA256"
                $0.cipherSuites = "TLS_AES_128_GCM_SHA256"
            },
            Authority.serving {
                $0.ciphers = "ECDHE-ECDSA-AES256-GCM-SHA384"
                $0.cipherSuites = "TLS_AES_256_GCM_SHA384"
                $0.minimumVersion = version
            })
        #expect(try await pair.run().clientFailure?.reason == .noCommonGround)
    }

    @Test(
        "a handshake succeeds one byte at a time with a pause after each", arguments: [TLSOptions.Version.v1_2, .v1_3])
    func fragments(version: TLSOptions.Version) async throws {
        var pair = try HandshakePair(Authority.trusting { $0.maximumVersion = version })
        pair.manner = PipeStream.Manner(capacity: 700, fragment: 1, stutters: true)
        let (client, server) = try await pair.connect()
        async let sent: Void = client.sendAll(Array("ping".utf8))
        #expect(try await server.receive(4) == Array("ping".utf8))
        try await sent
    }

    @Test(
        "the error for a peer that does not speak TLS quotes its bytes, however they arrive",
        arguments: [
            "HTTP/1.1 400 Bad Request\r\n\r\n", "220 mail.example.com ESMTP\r\n", "\0\0\0\0\0\0", "SSH-2.0-x",
        ], [1, 5, .max])
    func notTLS(answer: String, fragment: Int) async throws {
        let failure = try await Self.connect(PipeStream.Manner(fragment: fragment)) {
            try await $0.sendAll(Array(answer.utf8))
        }
        #expect(failure == .tls(TLSError(reason: .notTLS, message: failure.tlsMessage)))
        if answer.hasPrefix("HTTP") { #expect(failure.tlsMessage.contains("'HTTP/1.1 400'")) }
    }

    @Test("the error for a peer that closes or ends the handshake says so")
    func closed() async throws {
        let ended = try await Self.connect { pipe in
            _ = try await pipe.receive(10)
            pipe.close()
        }
        #expect(ended == .tls(TLSError(reason: .handshakeClosed, message: ended.tlsMessage)))
        let alert = try await Self.connect { try await $0.sendAll([21, 3, 3, 0, 2, 1, 0]) }
        #expect(alert == .tls(TLSError(reason: .handshakeClosed, message: alert.tlsMessage)))
    }

    @Test(
        "the error names an alert that came instead of an answer",
        arguments: [
            (40, .noCommonGround, "handshake_failure"), (70, .noCommonGround, "protocol_version"),
            (112, .alert, "unrecognized_name"), (80, .alert, "internal_error"),
            (120, .noCommonGround, "no_application_protocol"),
        ] as [(UInt8, TLSError.Reason, String)])
    func alerts(number: UInt8, reason: TLSError.Reason, name: String) async throws {
        let failure = try await Self.connect { try await $0.sendAll([21, 3, 3, 0, 2, 2, number]) }
        #expect(failure == .tls(TLSError(reason: reason, message: failure.tlsMessage)))
        #expect(failure.tlsMessage.contains(name))
    }

    @Test("the error of a broken stream below TLS is reported unchanged")
    func brokenBelow() async throws {
        let error = TransportError.system(call: .recv, error: .connectionReset)
        #expect(try await Self.connect { $0.breakOff(error) } == error)
    }

    @Test("a write that fails for lack of memory fails the handshake at once, although the peer is silent")
    func shortage() async throws {
        let shortage = TransportError.failed(.send, .noBuffers)
        let stream = try ScriptedStream(
            "", then: .silence, writes: [.fail(shortage)], poller: EventPoller.shared())
        let context = try TLSContext(Authority.trusting())
        let error = await Self.failure { () async throws(TransportError) in
            try await TLSStream.connect(
                over: stream, serverName: "localhost", context: context, sessions: nil, sessionKey: "",
                until: .distantFuture)
        }
        #expect(error == shortage && error?.isOutOfResources == true)
        #expect(stream.waitCount == 0 && stream.written.isEmpty)
    }

    @Test("the deadline ends a handshake with a silent peer and leaves the stream below to its owner")
    func deadline() async throws {
        let time = ManualTime()
        let poller = try EventPoller(time: TimeSource(manual: time))
        let (clientPipe, serverPipe) = try PipeStream.pair(poller: poller)
        let context = try TLSContext(Authority.trusting())
        let deadline = time.now.advanced(by: .seconds(10))
        async let outcome = Self.failure {
            () async throws(TransportError) in
            try await TLSStream.connect(
                over: clientPipe, serverName: "localhost", context: context, sessions: nil, sessionKey: "",
                until: deadline)
        }
        _ = try await serverPipe.receive(1)
        time.advance(by: .seconds(11))
        #expect(await outcome == .timedOut)
        try await clientPipe.sendAll([1])
    }

    @Test("cancellation ends a handshake at its start and while it waits for the server")
    func cancellation() async throws {
        for waits in [false, true] {
            let (clientPipe, serverPipe) = try PipeStream.pair()
            let context = try TLSContext(Authority.trusting())
            let task = Task {
                await Self.failure { () async throws(TransportError) in
                    try await TLSStream.connect(
                        over: clientPipe, serverName: "localhost", context: context, sessions: nil, sessionKey: "",
                        until: .distantFuture)
                }
            }
            if waits { _ = try await serverPipe.receive(1) }
            task.cancel()
            #expect(await task.value == .cancelled)
        }
    }

    /// Returns the client's error for a peer that does not behave like a TLS server.
    private static func connect(
        _ manner: PipeStream.Manner = PipeStream.Manner(), _ serve: (PipeStream) async throws -> Void
    ) async throws -> TransportError {
        // The server's bytes are there at once; `manner` is the client's way of reading them.
        let (clientPipe, serverPipe) = try PipeStream.pair(manner, second: PipeStream.Manner())
        let context = try TLSContext(Authority.trusting())
        async let failure = Self.failure { () async throws(TransportError) in
            try await TLSStream.connect(
                over: clientPipe, serverName: "localhost", context: context, sessions: nil, sessionKey: "",
                until: .distantFuture)
        }
        try await serve(serverPipe)
        return try #require(await failure)
    }

    private static func failure(
        _ body: @Sendable () async throws(TransportError) -> TLSStream
    ) async -> TransportError? {
        do throws(TransportError) {
            _ = try await body()
            return nil
        } catch {
            return error
        }
    }
}

extension TransportError {
    var tlsMessage: String { if case .tls(let failure) = self { failure.message } else { "" } }
}
