/// How much a coded body may grow, so that a few kilobytes from a peer cannot fill memory or disk.
///
/// The limits hold for the output of every coding of a stack, each measured against the bytes that came from the wire.
package struct DecodingLimits: Sendable, Hashable {
    /// The most bytes a body may decode to; 1 GiB.
    package var maximumBytes: Int
    /// The most decoded bytes for each coded one; 100. Deflate itself ends near 1,032.
    package var maximumRatio: Int
    /// The ratio counts only above this many decoded bytes, because small honest bodies reach high ratios; 1 MiB.
    package var ratioFloor: Int

    package init(maximumBytes: Int = 1 << 30, maximumRatio: Int = 100, ratioFloor: Int = 1 << 20) {
        self.maximumBytes = maximumBytes
        self.maximumRatio = maximumRatio
        self.ratioFloor = ratioFloor
    }

    package static let `default` = DecodingLimits()
    package static let unlimited = DecodingLimits(maximumBytes: .max, maximumRatio: .max, ratioFloor: .max)

    func check(_ progress: DecodingProgress) throws(CodecError) {
        guard progress.decoded <= maximumBytes else { throw .tooLarge(limit: maximumBytes) }
        guard progress.decoded > ratioFloor else { return }
        let (allowed, overflow) = progress.coded.multipliedReportingOverflow(by: maximumRatio)
        guard overflow || progress.decoded <= allowed else { throw .ratioExceeded(limit: maximumRatio) }
    }
}
