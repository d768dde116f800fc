/// How much of a response is accepted. Passing one is ``SockeyeError/Code-swift.struct/limitExceeded``.
public struct ResponseLimits: Sendable, Hashable {
    /// The bytes of one response head, status line and fields together. Default 64 KiB.
    public var headBytes = 64 * 1024
    /// The fields of one response head. Default 200.
    public var fieldCount = 200
    /// The bytes of all interim (1xx) responses before the final one together, each of which is a head as well. Default
    /// 64 KiB. Their number does not matter, and the deadline for the head goes on while they come.
    public var interimBytes = 64 * 1024
    /// The bytes of a body as the caller gets it, that is after decoding. Default nil: a stream may be endless.
    /// Collecting always has a limit of its own.
    ///
    /// It holds for the response that the call ends with, not for those on the way there: bodies of redirects, of answered
    /// challenges and of attempts that are repeated are not read, but drained where little is left of them, or cut off.
    /// A body that is announced longer (Content-Length, without a coding) fails the call before it is read; another one
    /// fails while it is read, as soon as there is too much of it. The error has the head and what is here of the body;
    /// see ``SockeyeError/response``. ``OutgoingRequest/Options/bodyLimit`` sets another limit for one call.
    public var bodyBytes: Int?
    /// The bytes that one body may grow to by undoing its content coding. Default 1 GiB.
    public var decodedBytes = 1 << 30
    /// How many times its coded size a body may grow to; enforced once ``decodedRatioFloor`` bytes came out.
    ///
    /// Default nil: honest rows of JSON and logs reach 165 to 400 to one, and deflate itself cannot exceed 1,032, so that it
    /// is ``decodedBytes`` and the limit of whoever collects that guard; they alone do for br and zstd, which can. A body with several codings upon each other may
    /// not exceed 1,032 to one as a whole, unless a number is set here.
    public var decodedRatio: Int?
    /// The decoded bytes below which the ratio does not matter. Default 1 MiB.
    public var decodedRatioFloor = 1 << 20

    /// Makes the defaults named at each property.
    public init() {}
}
