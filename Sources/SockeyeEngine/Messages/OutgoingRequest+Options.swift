package import SockeyeCore
public import SockeyeNet

extension OutgoingRequest {
    /// The settings that one call may override. Nil keeps the client's setting.
    public struct Options: Sendable {
        /// The deadlines of this request. Each deadline that is set here replaces the same deadline of the client.
        /// Default nil: the client's deadlines apply.
        public var timeouts: Timeouts? {
            @inline(__always) get { rare?.set.timeouts }
            set { change { $0.timeouts = newValue } }
        }

        /// The complete TLS settings for this request. They replace the client's settings for the host
        /// (``ClientConfiguration/tls``, ``ClientConfiguration/tlsOverrides``). Default nil: the client's settings.
        ///
        /// The request uses only connections and sessions that were made with an equal configuration. A redirect to
        /// another origin uses the client's settings for that origin. With pins, a request over plain http fails.
        public var tls: TLSOptions? {
            get { rare?.set.tls?.configuration }
            set { change { $0.tls = newValue.map { OwnTLS($0) } } }
        }

        /// The errors that are tolerated in the response, instead of the client's setting.
        public var tolerances: ResponseTolerances? {
            @inline(__always) get { rare?.set.tolerances }
            set { change { $0.tolerances = newValue } }
        }

        /// The largest number of body bytes that this call accepts, after decoding, instead of
        /// ``ResponseLimits/bodyBytes``. `Int.max` accepts any number. Default nil: the client's limit.
        ///
        /// It also applies to streamed bodies. See ``ResponseLimits/bodyBytes`` for when and how the call fails.
        public var bodyLimit: Int? {
            get { rare?.set.bodyLimit }
            set { change { $0.bodyLimit = newValue } }
        }

        /// Called for each interim response (1xx) with its status code and fields, before the final response.
        ///
        /// Not called for a 100 (Continue) if no body is waiting for it, for example after the time of
        /// ``expectContinue`` has passed. Not called for a 101 (Switching Protocols), which ends the exchange.
        public var onInterim: (@Sendable (IncomingResponse.Interim) -> Void)? {
            @inline(__always) get { rare?.set.onInterim }
            set { change { $0.onInterim = newValue } }
        }

        /// Called each time the system has taken body bytes, with the total number taken so far. If the request is
        /// sent again, the total restarts at 0.
        public var onBodyProgress: (@Sendable (Int) -> Void)? {
            @inline(__always) get { rare?.set.onBodyProgress }
            set { change { $0.onBodyProgress = newValue } }
        }

        /// The observer of the call's events.
        package var observer: (any ExchangeObserver)? {
            @inline(__always) get { rare?.set.observer }
            set { change { $0.observer = newValue } }
        }

        /// The gate that suspends the transfer of content while the `TransferTask` of this request is paused.
        package var gate: TransferGate? {
            @inline(__always) get { rare?.set.gate }
            set { change { $0.gate = newValue } }
        }

        /// The deadline of the call that this request is part of; nil if the call begins with this request.
        package var deadline: MonotonicTime? {
            @inline(__always) get { rare?.set.deadline }
            set { change { $0.deadline = newValue } }
        }

        /// The start of the call that this request is part of; nil if the request is the first of its call.
        package var callStarted: MonotonicTime? {
            get { rare?.set.callStarted }
            set { change { $0.callStarted = newValue } }
        }

        /// The time limit of this attempt up to the response head; nil for no limit.
        package var attemptTimeout: Duration? {
            @inline(__always) get { rare?.set.attemptTimeout }
            set { change { $0.attemptTimeout = newValue } }
        }

        /// True if a redirect has led to another origin than the caller asked for, even if a later redirect led back.
        package var leftOrigin: Bool {
            @inline(__always) get { rare?.set.leftOrigin ?? false }
            set { change { $0.leftOrigin = newValue } }
        }

        /// True if the caller asked for an origin that is neither the origin of the client's base URL nor trusted by
        /// the client.
        package var isOutsideScope: Bool {
            @inline(__always) get { rare?.set.isOutsideScope ?? false }
            set { change { $0.isOutsideScope = newValue } }
        }

        /// The protocol that the server is asked to switch to. If it switches, the response hands the connection over
        /// to the caller.
        package var upgrade: String? {
            @inline(__always) get { rare?.set.upgrade }
            set { change { $0.upgrade = newValue } }
        }

        /// See ``RequestAttachment``.
        package var attachment: (any RequestAttachment)? {
            @inline(__always) get { rare?.set.attachment }
            set { change { $0.attachment = newValue } }
        }

        /// The object with the options above; nil in most requests, which set none of these options. Most getters are
        /// inlined, so that their callers load this one reference instead of copying all options.
        @usableFromInline package var rare: RareOptions?

        /// The TLS settings, in an object because they are large and rarely set.
        fileprivate final class OwnTLS: Sendable {
            let configuration: TLSOptions

            init(_ configuration: TLSOptions) { self.configuration = configuration }
        }

        fileprivate struct RareValues: Sendable {
            var tls: OwnTLS?
            var timeouts: Timeouts?
            var tolerances: ResponseTolerances?
            var bodyLimit: Int?
            var onInterim: (@Sendable (IncomingResponse.Interim) -> Void)?
            var onBodyProgress: (@Sendable (Int) -> Void)?
            var deadline: MonotonicTime?
            var callStarted: MonotonicTime?
            var attemptTimeout: Duration?
            var observer: (any ExchangeObserver)?
            var gate: TransferGate?
            var leftOrigin = false
            var isOutsideScope = false
            var upgrade: String?
            var attachment: (any RequestAttachment)?
        }

        @usableFromInline package final class RareOptions: Sendable {
            fileprivate let set: RareValues

            fileprivate init(_ set: RareValues) { self.set = set }
        }

        private mutating func change(_ body: (inout RareValues) -> Void) {
            var set = rare?.set ?? RareValues()
            body(&set)
            rare = RareOptions(set)
        }

        /// True if any of the options above was set, even if only to nil.
        @inlinable package var hasRareOptions: Bool { rare != nil }

        /// Sends `Expect: 100-continue` (RFC 9110 10.1.1) and waits at most this long for the server's permission
        /// before the body is sent anyway.
        ///
        /// Default nil: the body follows at once or, if the caller sets the Expect field, after at most one second.
        public var expectContinue: Duration?
        /// True if content codings are requested and undone. Default nil: the client's setting, which is true by
        /// default.
        ///
        /// If the caller sets the Range or Accept-Encoding field, the response is left as it was sent. There is one
        /// exception: if this option is true and Accept-Encoding is `identity`, codings that the server applies
        /// nevertheless are undone.
        public var decompresses: Bool?
        /// The unix-domain socket to connect to instead of the URL's host; `Host` still names the URL's authority.
        public var unixSocketPath: String?
        /// True if the request may be repeated, false if not, regardless of its method (RFC 9110 9.2.2). Applies to a
        /// repetition on another connection after a reused connection was closed, to retries, and to downloads that
        /// request the rest after an interruption. A request of which nothing was sent may be repeated in any case.
        /// Default nil: the method decides, and a request with an `Idempotency-Key` field may be repeated.
        public var isIdempotent: Bool?
        /// Closes the connection after the response (`Connection: close`). Default false.
        public var closesConnection = false

        /// Creates options that leave everything to the client.
        public init() {}
    }
}

/// A value that the layer above the engine keeps with a request.
package protocol RequestAttachment: AnyObject, Sendable {}

// Options combine: `.timeout(total: .seconds(2)).limit(body: 1 << 20)`. A later setting replaces only an earlier
// setting of the same name.

extension OutgoingRequest.Options {
    package func with(_ change: (inout OutgoingRequest.Options) -> Void) -> OutgoingRequest.Options {
        var options = self
        change(&options)
        return options
    }

    /// Options with the deadlines that are set in `timeouts`.
    public static func timeouts(_ timeouts: Timeouts) -> OutgoingRequest.Options {
        OutgoingRequest.Options().timeouts(timeouts)
    }

    /// Returns these options with further deadlines, which replace those of the same name.
    public func timeouts(_ timeouts: Timeouts) -> OutgoingRequest.Options {
        with { options in options.timeouts = options.timeouts.map { timeouts.over($0) } ?? timeouts }
    }

    /// Options with the given deadlines. `.unlimited` removes a deadline of the client. See ``Timeouts``.
    public static func timeout(
        total: Duration? = nil, connect: Duration? = nil, head: Duration? = nil, stall: Duration? = nil
    ) -> OutgoingRequest.Options {
        .timeouts(Timeouts(total: total, connect: connect, head: head, stall: stall))
    }

    /// Returns these options with the given further deadlines. `.unlimited` removes a deadline of the client.
    public func timeout(
        total: Duration? = nil, connect: Duration? = nil, head: Duration? = nil, stall: Duration? = nil
    ) -> OutgoingRequest.Options {
        timeouts(Timeouts(total: total, connect: connect, head: head, stall: stall))
    }

    /// Options with a limit for the body of the response, in bytes after decoding; see ``bodyLimit``.
    public static func limit(body bytes: Int) -> OutgoingRequest.Options {
        OutgoingRequest.Options().limit(body: bytes)
    }

    /// Returns these options with a limit for the body of the response, in bytes after decoding; see ``bodyLimit``.
    public func limit(body bytes: Int) -> OutgoingRequest.Options { with { $0.bodyLimit = bytes } }

    /// Options with a closure that is called with the number of body bytes sent so far.
    public static func reportingProgress(_ report: @escaping @Sendable (Int) -> Void) -> OutgoingRequest.Options {
        OutgoingRequest.Options().reportingProgress(report)
    }

    /// Returns these options with a closure that is called with the number of body bytes sent so far.
    public func reportingProgress(_ report: @escaping @Sendable (Int) -> Void) -> OutgoingRequest.Options {
        with { $0.onBodyProgress = report }
    }
}
