/// The limits on the size of a response. If a response exceeds a limit, the error is
/// ``SockeyeError/Code-swift.struct/limitExceeded``.
public struct ResponseLimits: Sendable, Hashable {
    /// The bytes of one response head, status line and fields together. Default 64 KiB.
    public var headBytes = 64 * 1024
    /// The fields of one response head. Default 200.
    public var fieldCount = 200
    /// The total bytes of all interim (1xx) responses before the final response. Default 64 KiB. ``headBytes`` and
    /// ``fieldCount`` apply to each interim response. The number of interim responses is not limited, and they do not
    /// extend the deadline for the head.
    public var interimBytes = 64 * 1024
    /// The bytes of a body as delivered to the caller, that is, after decoding. Default nil: a stream may be endless.
    /// Methods that collect the body in memory always have a limit of their own.
    ///
    /// The limit applies to the response that ends the call. The client drains the body of a redirect, an answered
    /// challenge or a retried response if little is left of it, and otherwise closes the connection.
    ///
    /// If Content-Length announces a longer body, and the body has no content coding, the call fails before the body
    /// is read. Otherwise reading the body fails as soon as the body exceeds the limit. The error contains the head and
    /// the received start of the body; see ``SockeyeError/response``. ``OutgoingRequest/Options/bodyLimit`` sets
    /// another limit for one call.
    public var bodyBytes: Int?
    /// The maximum decoded size, in bytes, of a body with a content coding. Default 1 GiB.
    public var decodedBytes = 1 << 30
    /// The largest ratio of decoded to coded size of a body; enforced once ``decodedRatioFloor`` bytes were decoded.
    ///
    /// Default nil: the ratio of a body with one coding is not limited, because legitimate JSON rows and logs reach
    /// ratios from 165 to 400. By default, only ``decodedBytes`` and the limit of collecting methods protect against
    /// decompression bombs with one coding. Deflate alone cannot exceed a ratio of 1,032; br and zstd can.
    ///
    /// For a body with several nested codings, nil limits the decoded size to 1,032 times the received size.
    public var decodedRatio: Int?
    /// The number of decoded bytes below which the ratio is not checked. Default 1 MiB.
    public var decodedRatioFloor = 1 << 20

    /// Creates limits with the defaults named at each property.
    public init() {}
}
