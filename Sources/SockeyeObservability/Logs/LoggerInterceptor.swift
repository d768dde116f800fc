#if Observability || Service
public import Logging
public import Sockeye
public import SockeyeEngine

/// Logs calls to swift-log; made by `.logging(to:)`.
public struct LoggerInterceptor: SynchronousInterceptor, SingleInterceptor, UniformMonitor {
    /// The level of each kind of message; nil disables the message.
    ///
    /// With the defaults, a service that logs at `info` has a line for each failed call and for each error response,
    /// and no line for other calls.
    public struct Levels: Sendable, Hashable {
        /// A call that ended with an error, or a response that broke off after its head. Default `warning`.
        public var failure: Logger.Level? = .warning
        /// A response with a status of 500 or higher. Default `warning`.
        public var serverError: Logger.Level? = .warning
        /// A response with a status from 400 to 499. Default `info`.
        public var clientError: Logger.Level? = .info
        /// A call that was cancelled. Default `debug`.
        public var cancellation: Logger.Level? = .debug
        /// Every other response. Default `debug`.
        public var success: Logger.Level? = .debug
        /// An exchange followed by another one in the same call: a redirect, a retry, a challenge. Default `debug`.
        public var resend: Logger.Level? = .debug
        /// Each exchange, with its connection and times. Default `trace`.
        public var exchange: Logger.Level? = .trace

        /// Makes the default levels.
        public init() {}

        /// The most severe level; nil if all messages are disabled.
        var highest: Logger.Level? {
            [failure, serverError, clientError, cancellation, success, resend, exchange].compactMap { $0 }.max()
        }
    }

    /// The log; nil to use the current logger of the task that makes the call.
    private let log: CallLog?
    private let levels: Levels
    /// The most severe of `levels`.
    private let highest: Logger.Level?
    private let urls: URLRedaction

    init(_ logger: Logger?, _ levels: Levels, _ urls: URLRedaction) {
        self.levels = levels
        highest = levels.highest
        self.urls = urls
        log = logger.map { CallLog($0, levels, urls) }
    }

    /// The `attempt` stage: this interceptor runs for each request that is sent to the network.
    public var stage: Call.Stage { .attempt }

    /// Sends the request unchanged.
    public func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
        try await call.proceed(request)
    }

    package var preparesRequests: Bool { false }
    package var outcomeFilter: OutcomeFilter { .nothing }

    /// Returns the log of the call; nil if the level of the call's logger excludes every message.
    public func monitor(of call: ObservedCall) -> (any EventMonitor)? {
        let log = log ?? CallLog(Logger.current, levels, urls)
        guard let highest, log.logger.logLevel <= highest else { return nil }
        return log
    }

    /// The log of all calls; nil if each call uses the logger of its task, or if no message would be logged.
    package var monitorOfAllCalls: (any EventMonitor)? {
        guard let log, let highest, log.logger.logLevel <= highest else { return nil }
        return log
    }

    /// Does nothing: the events of a call go to the monitor that ``monitor(of:)`` returns.
    public func handle(_ event: ClientEvent) {}
}

extension Interceptor where Self == LoggerInterceptor {
    /// Logs one line when a call returns or fails, at a level that depends on the outcome. Resends, exchanges and
    /// responses that break off have lines of their own. See ``LoggerInterceptor/Levels``.
    ///
    /// ```swift
    /// let client = HTTPClient().adding(.logging(to: logger))
    /// // this call uses another logger
    /// try await client.get(url, options: .logging(to: requestLogger))
    /// ```
    ///
    /// Each metadata key is the name of a span attribute in OpenTelemetry's conventions or begins with `sockeye.`. The
    /// article Observability of the module Sockeye lists these attributes. The value of `sockeye.call.id` is the same
    /// on all lines of a call. Fields, content and credentials are never logged. A message at a disabled level costs
    /// only a comparison.
    ///
    /// A logging interceptor of a call replaces that of its client. One that is added to a scoped client (see `scoped`
    /// of ``/Sockeye/HTTPClient``) replaces the inherited one.
    ///
    /// - Parameters:
    ///   - logger: The logger. Default nil: `Logger.current` of the task that makes the call.
    ///   - levels: The level of each kind of message.
    ///   - urls: The rule for writing URLs. Default ``URLRedaction/usual``.
    public static func logging(
        to logger: Logger? = nil, levels: LoggerInterceptor.Levels = LoggerInterceptor.Levels(),
        urls: URLRedaction = .usual
    ) -> LoggerInterceptor {
        LoggerInterceptor(logger, levels, urls)
    }
}

extension OutgoingRequest.Options {
    /// Makes options with a logger for this call, instead of its client's; see `.logging(to:levels:urls:)`.
    public static func logging(
        to logger: Logger, levels: LoggerInterceptor.Levels = LoggerInterceptor.Levels(), urls: URLRedaction = .usual
    ) -> OutgoingRequest.Options {
        OutgoingRequest.Options().logging(to: logger, levels: levels, urls: urls)
    }

    /// Returns these options with a logger for this call, instead of its client's; see `.logging(to:levels:urls:)`.
    public func logging(
        to logger: Logger, levels: LoggerInterceptor.Levels = LoggerInterceptor.Levels(), urls: URLRedaction = .usual
    ) -> OutgoingRequest.Options {
        intercepting(LoggerInterceptor(logger, levels, urls))
    }
}
#endif
