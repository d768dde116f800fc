/// Limits on the growth of a body when it is decoded, against decompression bombs.
///
/// If a body has several codings, the limits apply to the output of each coding. The ratios are always relative to the
/// bytes from the wire.
package struct DecodingLimits: Sendable, Hashable {
    /// The maximum number of decoded bytes of a body. Default 1 GiB.
    package var maximumBytes: Int
    /// The maximum number of decoded bytes per coded byte. Nil, the default, means ``deflateRatio`` for bodies with
    /// more than one coding, and no ratio limit for bodies with one coding. With one coding, a limit low enough to stop
    /// bombs would also refuse honest JSON rows and logs, which reach ratios from 165 to 400. Only ``maximumBytes``
    /// stops bombs with one coding.
    package var maximumRatio: Int?
    /// The ratio is checked only above this many decoded bytes, because small honest bodies reach high ratios. Default
    /// 1 MiB.
    package var ratioFloor: Int

    package init(maximumBytes: Int = 1 << 30, maximumRatio: Int? = nil, ratioFloor: Int = 1 << 20) {
        self.maximumBytes = maximumBytes
        self.maximumRatio = maximumRatio
        self.ratioFloor = ratioFloor
    }

    package static let `default` = DecodingLimits()
    package static let unlimited = DecodingLimits(maximumBytes: .max, maximumRatio: .max, ratioFloor: .max)

    /// The default ratio limit of stacked codings: the maximum ratio of deflate (258 bytes from two bits). Without
    /// this limit, the ratios of the codings would multiply, and a kilobyte could reach any ``maximumBytes``.
    package static let deflateRatio = 1_032

    func check(_ progress: DecodingProgress, codings: Int) throws(CodecError) {
        guard progress.decoded <= maximumBytes else { throw .tooLarge(limit: maximumBytes) }
        guard progress.decoded > ratioFloor, let maximumRatio = maximumRatio ?? (codings > 1 ? Self.deflateRatio : nil)
        else { return }
        let (allowed, overflow) = progress.coded.multipliedReportingOverflow(by: maximumRatio)
        guard overflow || progress.decoded <= allowed else { throw .ratioExceeded(limit: maximumRatio) }
    }
}

/// The progress of a coding: the bytes that came out, and the bytes from the wire that went in.
package struct DecodingProgress: Sendable, Hashable {
    package var decoded = 0
    package var coded = 0

    package init(decoded: Int = 0, coded: Int = 0) {
        self.decoded = decoded
        self.coded = coded
    }

    /// The decoded bytes per coded byte, rounded up. Rounded down, a ratio slightly above a limit would be reported as
    /// equal to the limit.
    package var ratio: Int {
        guard coded > 0 else { return decoded }
        return decoded / coded + (decoded % coded == 0 ? 0 : 1)
    }
}
