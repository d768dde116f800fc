/// Limits against decompression bombs: how much a coded body may grow.
///
/// The limits hold for the output of every coding of a stack, each measured against the bytes that came from the wire.
package struct DecodingLimits: Sendable, Hashable {
    /// The most bytes a body may decode to; 1 GiB.
    package var maximumBytes: Int
    /// The most decoded bytes for each coded one; nil, the default, for no such limit but ``deepestRatio`` for bodies
    /// that were coded more than once. Honest rows of JSON and logs reach 165 to 400 to one, so that the absolute limit
    /// guards.
    package var maximumRatio: Int?
    /// The ratio counts only above this many decoded bytes, because small honest bodies reach high ratios; 1 MiB.
    package var ratioFloor: Int

    package init(maximumBytes: Int = 1 << 30, maximumRatio: Int? = nil, ratioFloor: Int = 1 << 20) {
        self.maximumBytes = maximumBytes
        self.maximumRatio = maximumRatio
        self.ratioFloor = ratioFloor
    }

    package static let `default` = DecodingLimits()
    package static let unlimited = DecodingLimits(maximumBytes: .max, maximumRatio: .max, ratioFloor: .max)

    /// What a single coding can come to at most, deflate's own limit (258 bytes for two bits). Codings upon each other
    /// would multiply it: a kilobyte could fill any absolute limit.
    package static let deepestRatio = 1_032

    func check(_ progress: DecodingProgress, codings: Int) throws(CodecError) {
        guard progress.decoded <= maximumBytes else { throw .tooLarge(limit: maximumBytes) }
        guard progress.decoded > ratioFloor, let maximumRatio = maximumRatio ?? (codings > 1 ? Self.deepestRatio : nil)
        else { return }
        let (allowed, overflow) = progress.coded.multipliedReportingOverflow(by: maximumRatio)
        guard overflow || progress.decoded <= allowed else { throw .ratioExceeded(limit: maximumRatio) }
    }
}

/// The progress of a coding: the bytes that came out, and those of the wire that went in.
package struct DecodingProgress: Sendable, Hashable {
    package var decoded = 0
    package var coded = 0

    package init(decoded: Int = 0, coded: Int = 0) {
        self.decoded = decoded
        self.coded = coded
    }

    /// How many times its coded size the body has grown to, rounded up, so that it shows which limit was passed.
    package var ratio: Int {
        guard coded > 0 else { return decoded }
        return decoded / coded + (decoded % coded == 0 ? 0 : 1)
    }
}
