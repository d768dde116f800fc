import CSockeyeData

/// Normalization Form C (UAX 15). The standard library implements it, but not as public API.
enum CanonicalForm {
    static func normalize(_ text: some Sequence<UInt32>) -> [UInt32] {
        var output: [UInt32] = []
        for point in text { decompose(point, to: &output) }
        return compose(ordered(output))
    }

    /// Appends the full canonical decomposition of a code point.
    private static func decompose(_ point: UInt32, to output: inout [UInt32]) {
        let table = unsafe ConstantTable<sockeye_decomposition>(sockeye_decompositions)
        if let found = table.last(upTo: point, by: \.point), found.point == point {
            // Only the first part of a decomposition can decompose further.
            decompose(found.first, to: &output)
            if found.second != 0 { output.append(found.second) }
        } else if Hangul.syllables.contains(point) {
            output += Hangul.decompose(point)
        } else {
            output.append(point)
        }
    }

    /// Sorts each run of combining marks by combining class, stably. The time is O(n log n), even for hostile input
    /// that is one long run of marks.
    private static func ordered(_ text: [UInt32]) -> [UInt32] {
        var output: [UInt32] = []
        output.reserveCapacity(text.count)
        var run: [Mark] = []
        for point in text {
            let order = CodePointProperties(point).combiningClass
            guard order == 0 else {
                run.append(Mark(order: order, place: run.count, point: point))
                continue
            }
            flush(&run, to: &output)
            output.append(point)
        }
        flush(&run, to: &output)
        return output
    }

    private static func flush(_ run: inout [Mark], to output: inout [UInt32]) {
        guard !run.isEmpty else { return }
        if run.count > 1 { run.sort { ($0.order, $0.place) < ($1.order, $1.place) } }
        for mark in run { output.append(mark.point) }
        run.removeAll(keepingCapacity: true)
    }

    private struct Mark {
        let order: UInt8
        /// The position in the run, which keeps the order of marks with equal classes.
        let place: Int
        let point: UInt32
    }

    private static func compose(_ text: [UInt32]) -> [UInt32] {
        var output: [UInt32] = []
        var starter: Int?
        var lastOrder: UInt8 = 0
        for point in text {
            let order = CodePointProperties(point).combiningClass
            // A mark between the starter and this code point blocks their composition unless the mark's class is lower
            // than the code point's. Two starters compose only if they are adjacent.
            let isNeighbour = starter == output.count - 1
            if let starter, isNeighbour || (lastOrder < order && lastOrder != 0),
                let whole = composite(output[starter], point)
            {
                output[starter] = whole
                continue
            }
            if order == 0 { starter = output.count }
            lastOrder = order
            output.append(point)
        }
        return output
    }

    /// Returns the composite of two code points; nil if they do not compose.
    private static func composite(_ first: UInt32, _ second: UInt32) -> UInt32? {
        if let syllable = Hangul.compose(first, second) { return syllable }
        let table = unsafe ConstantTable<sockeye_composition>(sockeye_compositions)
        let key = UInt64(second) << 32 | UInt64(first)
        let found = table.last(upTo: key) { UInt64($0.second) << 32 | UInt64($0.first) }
        guard let found, found.second == second, found.first == first else { return nil }
        return found.composite
    }
}

/// Hangul syllables, composed and decomposed by arithmetic (Unicode core specification, 3.12).
private enum Hangul {
    static let syllables: ClosedRange<UInt32> = 0xAC00...0xD7A3
    private static let leading: UInt32 = 0x1100
    private static let vowel: UInt32 = 0x1161
    private static let trailing: UInt32 = 0x11A7

    static func decompose(_ syllable: UInt32) -> [UInt32] {
        let index = syllable - syllables.lowerBound
        let parts = [leading + index / 588, vowel + index % 588 / 28]
        return index % 28 == 0 ? parts : parts + [trailing + index % 28]
    }

    static func compose(_ first: UInt32, _ second: UInt32) -> UInt32? {
        if (leading..<leading + 19).contains(first), (vowel..<vowel + 21).contains(second) {
            return syllables.lowerBound + ((first - leading) * 21 + second - vowel) * 28
        }
        if syllables.contains(first), (first - syllables.lowerBound) % 28 == 0,
            (trailing + 1..<trailing + 28).contains(second)
        {
            return first + second - trailing
        }
        return nil
    }
}

extension String {
    /// The text in Normalization Form C (UAX 15).
    package var canonicallyComposed: String {
        guard !utf8.allSatisfy({ $0 < 0x80 }) else { return self }
        let points = CanonicalForm.normalize(unicodeScalars.lazy.map(\.value))
        return String(UnicodeScalarView(points.compactMap { Unicode.Scalar($0) }))
    }
}
