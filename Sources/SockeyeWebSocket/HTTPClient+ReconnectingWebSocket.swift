public import Sockeye
import SockeyeCore
public import SockeyeEngine
public import SockeyeHTTP
import SockeyeNet

extension WebSocketConnection {
    /// When a lost connection is made anew, and how often.
    public struct Reconnecting: Sendable {
        /// How many times in a row without a connection in between that lasted for ``settledAfter``. Default 10; `Int.max` for
        /// any number.
        public var attempts: Int
        /// How long to wait before each. Default as ``/Sockeye/RetryBackoff/exponential(base:factor:cap:jitter:)``.
        public var backoff: RetryBackoff
        /// A connection that lasted for so long was a good one: counting begins anew. Default 30 s.
        public var settledAfter: Duration
        /// Random numbers from 0 up to 1.
        package var random: @Sendable () -> Double = { .random(in: 0..<1) }

        /// Makes settings; each default is named at its property.
        public init(
            attempts: Int = 10, backoff: RetryBackoff = .exponential(), settledAfter: Duration = .seconds(30)
        ) {
            self.attempts = attempts
            self.backoff = backoff
            self.settledAfter = settledAfter
        }

        /// Whether an error means that another connection may do better: this one was lost or timed out, the server goes
        /// down or is overloaded (1001, 1012, 1013), or could not be reached.
        static func mayReconnect(after error: any Error) -> Bool {
            switch error {
            case let error as WebSocketError:
                switch error.code {
                case .connectionLost, .timeout: true
                case .closed: [.goingAway, .serviceRestart, .tryAgainLater].contains(error.closeStatus?.code)
                default: false
                }
            case let error as SockeyeError:
                switch error.code {
                case .connectFailed, .connectionClosed, .resolutionFailed, .timeout: true
                case .upgradeRefused: [502, 503, 504].contains(error.response?.status.code)
                default: false
                }
            default: false
            }
        }
    }
}

extension HTTPClient {
    /// As ``webSocket(_:headers:options:_:)``, with a new connection where one is lost.
    ///
    /// - Parameters:
    ///   - url: Absolute, or relative to the client's base.
    ///   - headers: Fields of the opening handshakes.
    ///   - options: Deadlines and policies of the opening handshakes; settings of the WebSockets.
    ///   - reconnecting: When and how often.
    ///   - body: Called for each connection, which knows nothing of the one before: what the server has to be told,
    ///     such as what to subscribe to, is said anew by each call. What it returns is the result.
    /// - Throws: The last error, when there were enough, or one after which another connection would be no better.
    public func webSocket<Result>(
        _ url: some HTTPURL.Convertible, headers: Headers = [:],
        options: OutgoingRequest.Options = OutgoingRequest.Options(),
        reconnecting: WebSocketConnection.Reconnecting,
        _ body: (WebSocketConnection) async throws -> Result
    ) async throws -> Result {
        let clock = scope.settings.clock
        var failures = 0
        while true {
            // Nil while there was no connection.
            var began: MonotonicTime?
            do {
                return try await webSocket(url, headers: headers, options: options) { socket in
                    began = clock.time.now
                    return try await body(socket)
                }
            } catch {
                if let began, clock.time.now.since(began) >= reconnecting.settledAfter { failures = 0 }
                guard failures < reconnecting.attempts, !Task.isCancelled,
                    WebSocketConnection.Reconnecting.mayReconnect(after: error)
                else { throw error }
                failures += 1
                let pause = reconnecting.backoff.pause(before: failures, random: reconnecting.random())
                do throws(TransportError) {
                    try await clock.sleep(until: clock.time.now.advanced(by: pause))
                } catch {
                    throw SockeyeError(error, phase: .prepare)
                }
            }
        }
    }
}
