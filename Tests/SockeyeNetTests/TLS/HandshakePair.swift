import SockeyeCore
import SockeyeNet
import SockeyeTesting

/// A client and a server that shake hands over a pipe.
struct HandshakePair {
    var client: TLSContext
    var server: TLSServerContext
    var host = "localhost"
    var sessions: TLSSessionCache?
    var sessionKey = "key"
    var manner = PipeStream.Manner()

    init(
        _ client: TLSOptions = Authority.trusting(),
        _ server: TLSServerContext.Configuration = Authority.serving()
    ) throws {
        self.client = try TLSContext(client)
        self.server = try TLSServerContext(server)
    }

    struct Outcome {
        let client: Result<TLSStream, TransportError>
        let server: Result<TLSStream, TransportError>
        let clientPipe: PipeStream
        let serverPipe: PipeStream

        var clientFailure: TLSError? { Self.failure(client) }
        var serverFailure: TLSError? { Self.failure(server) }

        private static func failure(_ result: Result<TLSStream, TransportError>) -> TLSError? {
            guard case .failure(.tls(let failure)) = result else { return nil }
            return failure
        }
    }

    /// Runs the handshake. A side that fails closes its end, as a real caller does, so that the other never hangs.
    func run() async throws -> Outcome {
        let (clientPipe, serverPipe) = try PipeStream.pair(manner)
        async let accepted = Self.closing(serverPipe) { () async throws(TransportError) in
            try await TLSStream.accept(over: serverPipe, context: server, until: .distantFuture)
        }
        let connected = await Self.closing(clientPipe) { () async throws(TransportError) in
            try await TLSStream.connect(
                over: clientPipe, serverName: host, context: client, sessions: sessions, sessionKey: sessionKey,
                until: .distantFuture)
        }
        return await Outcome(client: connected, server: accepted, clientPipe: clientPipe, serverPipe: serverPipe)
    }

    /// Returns both sides of a handshake, which must succeed.
    func connect() async throws -> (client: TLSStream, server: TLSStream) {
        let outcome = try await run()
        return (try outcome.client.get(), try outcome.server.get())
    }

    private static func closing(
        _ pipe: PipeStream, _ body: @Sendable () async throws(TransportError) -> TLSStream
    ) async -> Result<TLSStream, TransportError> {
        do throws(TransportError) {
            return .success(try await body())
        } catch {
            pipe.close()
            return .failure(error)
        }
    }
}
