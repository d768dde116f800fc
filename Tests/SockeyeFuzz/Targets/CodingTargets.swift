import SockeyeCore
import SockeyeHTTP

/// Coded bodies. The result must not depend on how the bytes are cut, and must respect the limits. Encoded bytes must
/// decode to the original bytes with each linked library.
enum CodingTargets {
    /// Each linked coding, and two stacks of two codings.
    private static let stacks =
        ContentCoding.allCases.filter { $0 != .identity && $0.isLinked }.map { [$0] } + [
            [.gzip, .deflate], [.deflate, .gzip],
        ]

    static let codings: FuzzTarget = { bytes in
        var input = FuzzInput(bytes)
        let codings = stacks[input.choice(below: stacks.count)]
        let limits = DecodingLimits(maximumBytes: 200_000, maximumRatio: input.flag() ? 20 : .max, ratioFloor: 5000)
        let library = InflateLibrary.allCases[input.choice(below: InflateLibrary.allCases.count)]
        let pieces = input.pieces().map { Bytes($0) }
        let whole = decode([Bytes(input.bytes)], codings, limits, library)
        let cut = decode(pieces, codings, limits, library)
        // A decoder reports a limit as soon as a piece exceeds it, so the output before that depends on the pieces.
        if case (.success(let one), .success(let other)) = (whole, cut) {
            require(one == other, "a body depends on how it is cut")
        } else {
            require(isFailure(whole) == isFailure(cut), "\(whole) and \(cut) of the same bytes")
        }
        checkRoundTrip(input.bytes, codings[0], pieces)
        let field = input.text
        if let named = try? ContentCoding.parse([field]) {
            require(named.count <= ContentCoding.maximumStacked, "\(named.count) codings")
        }
    }

    private static func checkRoundTrip(_ bytes: [UInt8], _ coding: ContentCoding, _ pieces: [Bytes]) {
        guard let encoder = try? ContentEncoder(coding, level: 1) else { fatalError("no encoder") }
        var coded: [Bytes] = []
        do throws(CodecError) {
            for piece in pieces {
                encoder.push(piece)
                while let piece = try encoder.next() { coded.append(piece) }
            }
            encoder.finish()
            while let piece = try encoder.next() { coded.append(piece) }
        } catch {
            fatalError("\(error)")
        }
        for library in InflateLibrary.allCases {
            let decoded = decode(coded, [coding], .unlimited, library)
            require(decoded == .success(bytes), "encoded bytes decode to other bytes: \(decoded)")
        }
    }

    private static func isFailure(_ result: Result<[UInt8], CodecError>) -> Bool {
        if case .failure = result { true } else { false }
    }

    private static func decode(
        _ pieces: [Bytes], _ codings: [ContentCoding], _ limits: DecodingLimits, _ library: InflateLibrary
    ) -> Result<[UInt8], CodecError> {
        let decoder = ContentDecoder(codings, limits: limits, inflate: library)
        return Result { () throws(CodecError) in
            var output: [UInt8] = []
            for piece in pieces {
                decoder.push(piece)
                while let piece = try decoder.next() { output += piece }
                require(output.count <= limits.maximumBytes, "\(output.count) bytes beyond the limit")
            }
            try decoder.finish()
            return output
        }
    }
}
