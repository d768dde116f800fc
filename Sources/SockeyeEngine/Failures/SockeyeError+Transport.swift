import SockeyeCore
import SockeyeHTTP
public import SockeyeNet
import SockeyePlatform

extension SockeyeError {
    /// Translates an error of a layer below HTTP.
    ///
    /// - Parameter configured: The time limit of the phase. A time-out error contains this limit, unless it is nil.
    package init(_ error: TransportError, phase: Phase, configured: Duration? = nil) {
        switch error {
        case .timedOut:
            self = .timeout(phase, configured: configured)
        case .cancelled:
            self.init(.init(.cancelled, phase: phase, blame: .caller, message: "the task was cancelled"))
        case .closed:
            self.init(
                .init(.connectionClosed, phase: phase, blame: .caller, message: "the client closed the connection"))
        case .truncated:
            self.init(
                .init(
                    .connectionClosed, phase: phase, blame: .peer,
                    message: "the peer closed the connection without close_notify, so the data may be incomplete"))
        case .tls(let failure):
            self.init(failure, phase: phase)
        case .system(let call, let code) where error.isOutOfResources:
            self.init(.init(.outOfResources, phase: phase, blame: .network, message: Self.text(call, code)))
        case .system(let call, let code):
            self.init(call, code, phase: phase)
        }
        if fields.underlying == nil { self = with { $0.underlying = error } }
    }

    /// The TLS error that caused this error; nil if this error has another cause. For the server's certificates, see
    /// ``TLSError/trust``. If this property is not nil, ``code`` is usually ``Code-swift.struct/tlsFailed``.
    public var tlsFailure: TLSError? {
        guard case .tls(let failure)? = underlying as? TransportError else { return nil }
        return failure
    }

    private init(_ failure: TLSError, phase: Phase) {
        let (code, blame): (Code, Blame) =
            switch failure.reason {
            case .badConfiguration: (.badConfiguration, .caller)
            case .outOfResources: (.outOfResources, .network)
            default: (.tlsFailed, .peer)
            }
        self.init(.init(code, phase: phase, blame: blame, message: failure.message))
    }

    private init(_ call: SystemCall, _ error: SystemError, phase: Phase) {
        let losses: [SystemError] = [.connectionReset, .brokenPipe, .connectionAborted, .notConnected]
        let isByPeer = phase != .connect && losses.contains(error)
        self.init(
            .init(
                phase == .connect ? .connectFailed : .connectionClosed, phase: phase,
                blame: isByPeer ? .peer : .network, message: Self.text(call, error)))
    }

    private static func text(_ call: SystemCall, _ error: SystemError) -> String {
        "\(call.name): \(error.text)"
    }

    /// Translates the failure to connect to a host. The ``underlying`` error lists every address that failed.
    package init(_ error: ConnectError, configured: Duration?) {
        switch error.reason {
        case .timedOut: self = .timeout(.connect, configured: configured)
        case .cancelled: self.init(TransportError.cancelled, phase: .connect)
        case .noAddresses, .allFailed:
            let isExhausted = error.attempts.contains { $0.isOutOfResources }
            self.init(
                .init(
                    isExhausted ? .outOfResources : .connectFailed, phase: .connect,
                    blame: error.isDenied ? .policy : .network, message: error.description))
        }
        self = with { $0.underlying = error }
    }

    /// Translates a failed look-up. The message names `host`, the host of the URL or of the proxy. This discloses
    /// nothing new, because the error also names the URL and the proxy.
    package init(_ error: ResolveError, host: String, configured: Duration?) {
        switch error {
        case .timedOut: self = .timeout(.resolve, configured: configured)
        case .cancelled: self.init(TransportError.cancelled, phase: .resolve)
        case .shutDown: self = .shutDown(.resolve)
        case .outOfResources:
            self.init(.init(.outOfResources, phase: .resolve, blame: .network, message: "\(host): \(error)"))
        default:
            let blame: Blame = error == .invalidName ? .caller : .network
            self.init(.init(.resolutionFailed, phase: .resolve, blame: blame, message: "\(host): \(error)"))
        }
        if case .custom(let cause) = error {
            self = with { $0.underlying = cause }
        } else {
            self = with { $0.underlying = error }
        }
    }

    /// The error of a client that was shut down before or during the request.
    package static func shutDown(_ phase: Phase) -> SockeyeError {
        SockeyeError(.init(.shutDown, phase: phase, blame: .caller, message: "the client was shut down"))
    }

    /// Returns this `outOfResources` error with the note that the request also waited in vain for a connection to
    /// become free.
    package func waited(_ limit: Duration?) -> SockeyeError {
        with { fields in
            fields.phase = .pool
            fields.message += "; no connection became free in time"
            fields.limit = limit.map { Limit("timeouts.pool", configured: $0) }
        }
    }

    /// The error of a deadline that has passed.
    ///
    /// - Parameters:
    ///   - configured: The time limit; nil to omit it from the error.
    ///   - name: The name of the time limit, such as `stall`; nil for the name of the phase.
    package static func timeout(_ phase: Phase, configured: Duration?, name: String? = nil) -> SockeyeError {
        let what =
            switch phase {
            case .prepare, .send: "the request could not be sent in time"
            case .pool: "no connection became free in time"
            case .resolve: "the host name was not resolved in time"
            case .connect: "the connection was not established in time"
            case .tls: "the TLS handshake was not finished in time"
            case .head: "no response came in time"
            case .body, .decode: "the body did not arrive in time"
            }
        let blame: Blame =
            phase == .pool || phase == .prepare
            ? .policy : phase == .head || phase == .body || phase == .tls ? .peer : .network
        var fields = Fields(.timeout, phase: phase, blame: blame, message: what)
        if let configured { fields.limit = Limit("timeouts.\(name ?? phase.rawValue)", configured: configured) }
        return SockeyeError(fields)
    }
}

extension ConnectError.Attempt {
    fileprivate var isOutOfResources: Bool {
        if case .transport(let error) = failure { error.isOutOfResources } else { false }
    }
}
