#if Observability || Service
public import Logging
public import Sockeye
public import SockeyeEngine

/// Logs calls to swift-log; made by `.logging(to:)`.
public struct LoggerInterceptor: SynchronousInterceptor, SingleInterceptor, EventMonitor {
    /// At which level a message is logged; nil: never.
    ///
    /// swift-log asks libraries to stay at `info` since nobody asked them to log at all; who adds this interceptor did, and
    /// chooses here. Service logs at `info` then have a line for each call that failed, and none for those that did not.
    public struct Levels: Sendable, Hashable {
        /// A call that ended with an error, and a body that broke off later. Default `warning`.
        public var failure: Logger.Level? = .warning
        /// A response with a status from 500 on. Default `warning`.
        public var serverError: Logger.Level? = .warning
        /// A response with a status from 400 to 499. Default `info`.
        public var clientError: Logger.Level? = .info
        /// A call that was cancelled. Default `debug`.
        public var cancellation: Logger.Level? = .debug
        /// Every other response. Default `debug`.
        public var success: Logger.Level? = .debug
        /// An exchange whose outcome was not the call's: redirected, repeated, challenged. Default `debug`.
        public var resend: Logger.Level? = .debug
        /// Each exchange with its connection and its times. Default `trace`.
        public var exchange: Logger.Level? = .trace

        /// Makes the defaults named at each property.
        public init() {}

        /// The most severe of them.
        var highest: Logger.Level? {
            [failure, serverError, clientError, cancellation, success, resend, exchange].compactMap { $0 }.max()
        }
    }

    /// Nil: the one of the task that makes the call.
    private let log: CallLog?
    private let levels: Levels
    /// The most severe of the levels; nil where nothing is logged.
    private let highest: Logger.Level?
    private let urls: URLRedaction

    init(_ logger: Logger?, _ levels: Levels, _ urls: URLRedaction) {
        self.levels = levels
        highest = levels.highest
        self.urls = urls
        log = logger.map { CallLog($0, levels, urls) }
    }

    /// Among those around every request that goes to the wire, which it does not touch.
    public var stage: Call.Stage { .attempt }

    /// Sends the request.
    public func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
        try await call.proceed(request)
    }

    package var preparesRequests: Bool { false }
    package var outcomeFilter: OutcomeFilter { .nothing }

    /// Returns the log of the call; nil if its logger has none of the levels.
    public func monitor(of call: ObservedCall) -> (any EventMonitor)? {
        let log = log ?? CallLog(Logger.current, levels, urls)
        // Nothing of the call could be heard.
        guard let highest, log.logger.logLevel <= highest else { return nil }
        return log
    }

    /// Does nothing: the events of a call go to the monitor that ``monitor(of:)`` returns.
    public func handle(_ event: ClientEvent) {}
}

extension Interceptor where Self == LoggerInterceptor {
    /// Logs calls: a line for each when it returns or fails, at a level that depends on how; below that its resends and
    /// exchanges. See ``LoggerInterceptor/Levels``.
    ///
    /// ```swift
    /// let client = HTTPClient().adding(.logging(to: logger))
    /// try await client.get(url, options: .logging(to: requestLogger))       // this call with another one
    /// ```
    ///
    /// Metadata has the names of OpenTelemetry's conventions: `http.request.method`, `url.full`, `server.address`,
    /// `server.port`, `http.response.status_code`, `error.type`, `http.request.resend_count`; beside them
    /// `sockeye.call.id`, which is the same on all lines of a call. No field, no content and no credential is ever logged.
    /// A level that the logger does not have costs the comparison, and nothing else is made for it.
    ///
    /// A scope's or a call's replaces that of its client.
    ///
    /// - Parameters:
    ///   - logger: Where to. Default nil: `Logger.current` of the task that makes the call.
    ///   - levels: Which message has which level.
    ///   - urls: How URLs are written. Default ``URLRedaction/usual``.
    public static func logging(
        to logger: Logger? = nil, levels: LoggerInterceptor.Levels = LoggerInterceptor.Levels(),
        urls: URLRedaction = .usual
    ) -> LoggerInterceptor {
        LoggerInterceptor(logger, levels, urls)
    }
}

extension OutgoingRequest.Options {
    /// Options with a logger for this call, instead of its client's; see `.logging(to:levels:urls:)`.
    public static func logging(
        to logger: Logger, levels: LoggerInterceptor.Levels = LoggerInterceptor.Levels(), urls: URLRedaction = .usual
    ) -> OutgoingRequest.Options {
        OutgoingRequest.Options().logging(to: logger, levels: levels, urls: urls)
    }

    /// These options with a logger for this call, instead of its client's; see `.logging(to:levels:urls:)`.
    public func logging(
        to logger: Logger, levels: LoggerInterceptor.Levels = LoggerInterceptor.Levels(), urls: URLRedaction = .usual
    ) -> OutgoingRequest.Options {
        intercepting(LoggerInterceptor(logger, levels, urls))
    }
}
#endif
