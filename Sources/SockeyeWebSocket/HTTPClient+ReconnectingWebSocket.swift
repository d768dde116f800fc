public import Sockeye
import SockeyeCore
public import SockeyeEngine
public import SockeyeHTTP
import SockeyeNet

extension WebSocketConnection {
    /// The policy for replacing a lost connection.
    public struct Reconnecting: Sendable {
        /// The maximum number of consecutive attempts after a lost connection or a failed handshake. Default 10;
        /// `Int.max` for no limit.
        public var attempts: Int
        /// The pause before each attempt. Default: ``/Sockeye/RetryBackoff/exponential(base:factor:cap:jitter:)``.
        public var backoff: RetryBackoff
        /// The duration after which a connection counts as successful and resets the count of attempts. Default 30 s.
        public var settledAfter: Duration
        /// The source of random numbers from 0 up to but excluding 1.
        package var random: @Sendable () -> Double = { .random(in: 0..<1) }

        /// Creates settings; each default is named at its property.
        public init(
            attempts: Int = 10, backoff: RetryBackoff = .exponential(), settledAfter: Duration = .seconds(30)
        ) {
            self.attempts = attempts
            self.backoff = backoff
            self.settledAfter = settledAfter
        }

        /// Returns true if another attempt may succeed after an error. These are the errors:
        ///
        /// - The connection was lost or timed out.
        /// - The server closed the connection because it goes down or is overloaded (1001, 1012, 1013).
        /// - The server could not be reached.
        /// - A gateway refused the handshake (502, 503, 504).
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
    /// Opens a WebSocket like ``webSocket(_:headers:options:_:)``, and replaces a lost connection by a new one. An
    /// opening handshake, even the first one, is repeated if it fails for a temporary reason.
    ///
    /// - Parameters:
    ///   - url: Absolute, or relative to the client's base URL.
    ///   - headers: The fields of the opening handshakes.
    ///   - options: Deadlines and policies of the opening handshakes; settings of the WebSockets.
    ///   - reconnecting: The number and timing of attempts.
    ///   - body: Called for each connection. A new connection has no state: each call must repeat messages such as
    ///     subscriptions. The result of `body` is returned. Any error that `body` throws is treated as an error of the
    ///     connection. For example, the time-out of an ordinary HTTP request in `body` opens a new connection.
    /// - Throws: The last error, if the attempts are used up or another connection would not help. If the task is
    ///   cancelled, throws the error with which the handshake or the connection failed; in a pause between attempts,
    ///   throws ``/Sockeye/SockeyeError/Code-swift.struct/cancelled``.
    public func webSocket<Result>(
        _ url: some HTTPURL.Convertible, headers: Headers = [:],
        options: OutgoingRequest.Options = OutgoingRequest.Options(),
        reconnecting: WebSocketConnection.Reconnecting,
        _ body: (WebSocketConnection) async throws -> Result
    ) async throws -> Result {
        let clock = scope.settings.clock
        var failures = 0
        while true {
            // Nil until there is a connection.
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
