import HTTPTypes
import SockeyeCore
package import SockeyeEngine
package import SockeyeHTTP
import SockeyeNet
import Synchronization

/// A request through the whole engine, over in-memory connections that answer with given bytes.
package struct EngineExchange: Sendable {
    /// Everything that a caller can observe. It must be equal for equal bytes, however they are split into pieces.
    package struct Outcome: Equatable, Sendable {
        package var interim: [Int] = []
        package var status: Int?
        package var version = ""
        package var reason = ""
        package var fields: Headers = [:]
        /// The length of the body, if the head states it.
        package var expectedLength: Int?
        package var body: [UInt8] = []
        package var trailers: Headers = [:]
        package var handedOver = false
        /// The peer's violation of the protocol, if the error describes one.
        package var fault: PeerFault?
        package var error: SockeyeError.Code?
        /// True if the connection serves further requests. Always false after 100 (Continue) unless the request was
        /// repeated, because chance decides if the body has been sent when the response is read.
        package var isReusable = false
        /// True if the connection serves further requests although the body was not sent completely: a bug of the
        /// engine.
        package var lacksContent = false
        /// The number of connections; 2 if the engine repeats the request.
        package var connections = 0
    }

    private static let content = Bytes("body")
    /// One poller for all exchanges, on a clock that stands still. Otherwise the pool could notice the end of an idle
    /// connection before the exchange looks for it.
    private static let pollers = PollerSet(time: TimeSource(manual: ManualTime()))

    package var method = "GET"
    package var expectsContinue = false
    /// True if the request asks for an upgrade to another protocol.
    package var upgrades = false
    package var limits = ResponseLimits()
    package var tolerances: ResponseTolerances = []

    /// Makes an exchange with the default limits and without tolerances.
    package init(method: String = "GET") { self.method = method }

    /// Sends the request and reads the response. Each read of the engine returns one piece; after the last piece the
    /// connection ends.
    package func run(_ pieces: [ArraySlice<UInt8>]) async -> Outcome {
        let streams = Mutex<[ScriptedStream]>([])
        let pool = ConnectionPool(configuration: configuration.pool, pollers: Self.pollers)
        let transport = SocketTransport(configuration: configuration, pool: pool) { _, poller throws(SockeyeError) in
            do throws(TransportError) {
                let stream = try ScriptedStream(pieces, poller: poller)
                streams.withLock { $0.append(stream) }
                return stream
            } catch {
                throw SockeyeError(error, phase: .connect)
            }
        }
        let interim = Mutex<[Int]>([])
        var outcome = Outcome()
        do throws(SockeyeError) {
            var request = try request()
            request.options.onInterim = { head in interim.withLock { $0.append(head.status.code) } }
            try await read(transport.perform(request), into: &outcome)
        } catch {
            outcome.error = error.code
            outcome.fault = error.underlying as? PeerFault
        }
        outcome.interim = interim.withLock { $0 }
        let isIdle = pool.statistics.idle == 1
        let used = streams.withLock { $0 }
        outcome.connections = used.count
        outcome.isReusable = isIdle && used.last?.unreadCount == 0
        outcome.lacksContent =
            outcome.isReusable && used.last?.contentCount != (expectsContinue ? Self.content.count : 0)
        if used.count == 1, outcome.interim.contains(100) { outcome.isReusable = false }
        await pool.closeIdle()
        return outcome
    }

    private var configuration: EngineConfiguration {
        var configuration = EngineConfiguration()
        configuration.decompresses = false
        configuration.limits = limits
        configuration.tolerances = tolerances
        return configuration
    }

    private func request() throws(SockeyeError) -> OutgoingRequest {
        guard let url = try? HTTPURL("http://example.test/"), let method = HTTPRequest.Method(rawValue: method) else {
            throw SockeyeError(RequestFault.invalidMethod)
        }
        var request = OutgoingRequest(method: method, url: url)
        if expectsContinue {
            request.body = .bytes(Self.content)
            // The clock stands still, so the body is sent only if the peer asks for it.
            request.options.expectContinue = .seconds(15)
        }
        if upgrades { request.options.upgrade = "upgrade" }
        return request
    }

    private func read(_ result: ExchangeOutcome, into outcome: inout Outcome) async throws(SockeyeError) {
        let response: IncomingResponse
        switch result {
        case .response(let answer): response = answer
        case .upgraded(let answer, let connection):
            response = answer
            outcome.handedOver = true
            connection.close()
        }
        outcome.status = response.status.code
        outcome.version = "HTTP/1.\(response.minorVersion)"
        outcome.reason = response.reason
        outcome.fields = response.headers
        guard !outcome.handedOver else { return }
        outcome.expectedLength = response.body.expectedLength
        var body = response.body.makeAsyncIterator()
        while let piece = try await body.next() { outcome.body += piece }
        outcome.trailers = response.trailers ?? [:]
    }
}
