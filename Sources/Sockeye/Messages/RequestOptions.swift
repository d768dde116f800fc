/// What one call may set differently from its client. Nil leaves the client's setting.
public struct RequestOptions: Sendable {
    /// Deadlines for this request instead of the client's.
    public var timeouts: Timeouts? {
        get { seldom?.timeouts }
        set { seldom = SeldomSet(timeouts: newValue, compression: compression) }
    }

    /// How the body is compressed. Default nil: not at all. Content-Encoding is set, unless the request has that field,
    /// in which case the body is taken for coded already.
    public var compression: RequestCompression? {
        get { seldom?.compression }
        set { seldom = SeldomSet(timeouts: timeouts, compression: newValue) }
    }

    /// By reference: most requests have none of these, and none should pay for carrying a dozen fields around.
    private var seldom: SeldomSet?

    private final class SeldomSet: Sendable {
        let timeouts: Timeouts?
        let compression: RequestCompression?

        init?(timeouts: Timeouts?, compression: RequestCompression?) {
            guard timeouts != nil || compression != nil else { return nil }
            self.timeouts = timeouts
            self.compression = compression
        }
    }

    /// Asks the server for permission (`Expect: 100-continue`, RFC 9110 10.1.1) before a body is sent, and waits for it
    /// at most this long before sending the body anyway. Default nil: the body follows at once, unless the caller sets
    /// the field, which then means one second.
    public var expectContinue: Duration?
    /// Whether gzip and deflate are asked for and undone. Default: the client's setting, which is true.
    public var decompresses: Bool?
    /// The unix-domain socket to connect to instead of the URL's host; `Host` still names the URL's authority.
    public var unixSocketPath: String?
    /// Whether a request that found its reused connection closed may be sent again although its method is not idempotent
    /// (as an `Idempotency-Key` field says as well). Default false. RFC 9110 9.2.2.
    public var isIdempotent: Bool?
    /// Closes the connection after the response (`Connection: close`). Default false.
    public var closesConnection = false
    /// Called for each interim response (1xx) with its status code and fields, before the final one is delivered.
    public var onInterim: (@Sendable (InterimResponse) -> Void)?
    /// Called with the number of body bytes that the system has taken so far, each time some were.
    public var onBodyProgress: (@Sendable (Int) -> Void)?

    /// Makes options that leave everything to the client.
    public init() {}

    /// Options with deadlines of their own.
    public static func timeouts(_ timeouts: Timeouts) -> RequestOptions {
        var options = RequestOptions()
        options.timeouts = timeouts
        return options
    }

    /// Options with a closure that is called with the number of body bytes sent so far.
    public static func reportingProgress(_ report: @escaping @Sendable (Int) -> Void) -> RequestOptions {
        var options = RequestOptions()
        options.onBodyProgress = report
        return options
    }

    /// Options with the body compressed.
    public static func compressing(_ compression: RequestCompression) -> RequestOptions {
        var options = RequestOptions()
        options.compression = compression
        return options
    }

    /// Options with a deadline for the whole request and, if given, one for the connect phase.
    public static func timeout(total: Duration?, connect: Duration? = .seconds(10)) -> RequestOptions {
        .timeouts(Timeouts(total: total, connect: connect))
    }
}
