package import SockeyeCore
public import SockeyeNet

extension OutgoingRequest {
    /// What one call may set differently from its client. Nil leaves the client's setting.
    public struct Options: Sendable {
        /// The deadlines of this request. Each that is set replaces that of its scope and its client; nil sets none.
        public var timeouts: Timeouts? {
            @inline(__always) get { rare?.set.timeouts }
            set { change { $0.timeouts = newValue } }
        }

        /// TLS for this request instead of what the client has for its host (``ClientConfiguration/tls``,
        /// ``ClientConfiguration/tlsOverrides``), as a whole. Default nil: the client's.
        ///
        /// The request uses only connections and sessions that were made with an equal configuration. A redirect to another
        /// origin goes on with what the client has for that one. With pins, a request over plain http fails.
        public var tls: TLSOptions? {
            get { rare?.set.tls?.configuration }
            set { change { $0.tls = newValue.map { OwnTLS($0) } } }
        }

        /// What the response may do wrong, instead of the client's setting.
        public var tolerances: ResponseTolerances? {
            @inline(__always) get { rare?.set.tolerances }
            set { change { $0.tolerances = newValue } }
        }

        /// The bytes of the body that this call accepts, after decoding, instead of ``ResponseLimits/bodyBytes``; `Int.max` for
        /// any. Default nil: as the client. Holds for streamed bodies, too; see there for when and how it fails.
        public var bodyLimit: Int? {
            get { rare?.set.bodyLimit }
            set { change { $0.bodyLimit = newValue } }
        }

        /// Called for each interim response (1xx) with its status code and fields, before the final one is delivered.
        public var onInterim: (@Sendable (IncomingResponse.Interim) -> Void)? {
            @inline(__always) get { rare?.set.onInterim }
            set { change { $0.onInterim = newValue } }
        }

        /// Called with the number of body bytes that the system has taken so far, each time some were.
        public var onBodyProgress: (@Sendable (Int) -> Void)? {
            @inline(__always) get { rare?.set.onBodyProgress }
            set { change { $0.onBodyProgress = newValue } }
        }

        /// Who takes note of what happens to the call.
        package var observer: (any ExchangeObserver)? {
            @inline(__always) get { rare?.set.observer }
            set { change { $0.observer = newValue } }
        }

        /// Holds up the content while the task that sends it is paused.
        package var gate: TransferGate? {
            @inline(__always) get { rare?.set.gate }
            set { change { $0.gate = newValue } }
        }

        /// When the call that this request is part of has to be over.
        package var deadline: MonotonicTime? {
            @inline(__always) get { rare?.set.deadline }
            set { change { $0.deadline = newValue } }
        }

        /// How long this exchange may take until its head is there.
        package var attemptTimeout: Duration? {
            @inline(__always) get { rare?.set.attemptTimeout }
            set { change { $0.attemptTimeout = newValue } }
        }

        /// Whether a redirect has led to another origin than the caller asked for, be it that another one led back.
        package var leftOrigin: Bool {
            @inline(__always) get { rare?.set.leftOrigin ?? false }
            set { change { $0.leftOrigin = newValue } }
        }

        /// Whether the caller asked for another origin than those that the client's scope is meant for.
        package var isOutsideScope: Bool {
            @inline(__always) get { rare?.set.isOutsideScope ?? false }
            set { change { $0.isOutsideScope = newValue } }
        }

        /// The protocol that the server is asked to switch to; the response then holds the connection.
        package var upgrade: String? {
            @inline(__always) get { rare?.set.upgrade }
            set { change { $0.upgrade = newValue } }
        }

        /// What the layer above keeps with the request. The engine hands it on.
        package var attachment: (any RequestAttachment)? {
            @inline(__always) get { rare?.set.attachment }
            set { change { $0.attachment = newValue } }
        }

        /// By reference: most requests have none of these, and none should pay for carrying a dozen fields around. What reads
        /// it is inlined where it is asked for, so that it loads this one reference instead of copying all options.
        @usableFromInline package var rare: RareOptions?

        /// By reference, as it is large and few have it.
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

        /// Whether any of those is set.
        @inlinable package var hasRareOptions: Bool { rare != nil }

        /// Asks the server for permission (`Expect: 100-continue`, RFC 9110 10.1.1) before a body is sent, and waits for it
        /// at most this long before sending the body anyway. Default nil: the body follows at once, unless the caller sets
        /// the field, which then means one second.
        public var expectContinue: Duration?
        /// Whether content codings are asked for and undone. Default: the client's setting, which is true.
        ///
        /// The answer to a request with a Range or an Accept-Encoding field of its own is left as it is sent. With
        /// `Accept-Encoding: identity`, true has codings undone that the server applies all the same.
        public var decompresses: Bool?
        /// The unix-domain socket to connect to instead of the URL's host; `Host` still names the URL's authority.
        public var unixSocketPath: String?
        /// Whether a request that found its reused connection closed may be sent again although its method is not idempotent
        /// (as an `Idempotency-Key` field says as well). Default false. RFC 9110 9.2.2.
        public var isIdempotent: Bool?
        /// Closes the connection after the response (`Connection: close`). Default false.
        public var closesConnection = false

        /// Makes options that leave everything to the client.
        public init() {}
    }
}

/// A value that the layer above the engine keeps with a request.
package protocol RequestAttachment: AnyObject, Sendable {}

// Options combine: `.timeout(total: .seconds(2)).limit(body: 1 << 20)`. What a part says replaces what was said of the
// same, and nothing else.

extension OutgoingRequest.Options {
    /// These options with one of them changed.
    package func with(_ change: (inout OutgoingRequest.Options) -> Void) -> OutgoingRequest.Options {
        var options = self
        change(&options)
        return options
    }

    /// Options with deadlines of their own: those that are set in `timeouts`.
    public static func timeouts(_ timeouts: Timeouts) -> OutgoingRequest.Options {
        OutgoingRequest.Options().timeouts(timeouts)
    }

    /// These options with further deadlines, which replace those of the same name.
    public func timeouts(_ timeouts: Timeouts) -> OutgoingRequest.Options {
        with { options in options.timeouts = options.timeouts.map { timeouts.over($0) } ?? timeouts }
    }

    /// Options with some deadlines: those that are given. `.unlimited` is none, whatever the client has. See ``Timeouts``.
    public static func timeout(
        total: Duration? = nil, connect: Duration? = nil, head: Duration? = nil, stall: Duration? = nil
    ) -> OutgoingRequest.Options {
        .timeouts(Timeouts(total: total, connect: connect, head: head, stall: stall))
    }

    /// These options with further deadlines: those that are given. `.unlimited` is none, whatever the client has.
    public func timeout(
        total: Duration? = nil, connect: Duration? = nil, head: Duration? = nil, stall: Duration? = nil
    ) -> OutgoingRequest.Options {
        timeouts(Timeouts(total: total, connect: connect, head: head, stall: stall))
    }

    /// Options with a limit for the body of the response, in bytes after decoding; see ``bodyLimit``.
    public static func limit(body bytes: Int) -> OutgoingRequest.Options {
        OutgoingRequest.Options().limit(body: bytes)
    }

    /// These options with a limit for the body of the response, in bytes after decoding; see ``bodyLimit``.
    public func limit(body bytes: Int) -> OutgoingRequest.Options { with { $0.bodyLimit = bytes } }

    /// Options with a closure that is called with the number of body bytes sent so far.
    public static func reportingProgress(_ report: @escaping @Sendable (Int) -> Void) -> OutgoingRequest.Options {
        OutgoingRequest.Options().reportingProgress(report)
    }

    /// These options with a closure that is called with the number of body bytes sent so far.
    public func reportingProgress(_ report: @escaping @Sendable (Int) -> Void) -> OutgoingRequest.Options {
        with { $0.onBodyProgress = report }
    }
}
