/// How much of a multipart body a peer may make us hold or skip. The content of parts is not held, and not limited.
public struct MultipartLimits: Sendable, Hashable {
    /// The most parts. Default 1,000.
    public var parts = 1000
    /// The most bytes in the head of a part, its delimiter line included. Default 16 KiB.
    public var headBytes = 16 << 10
    /// The most fields in the head of a part. Default 100.
    public var fields = 100
    /// The most bytes before the first part, which are skipped, and so many after the last. Default 64 KiB.
    public var preambleBytes = 64 << 10

    /// Makes the default limits.
    public init() {}
}
