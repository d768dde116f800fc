/// The mapping table of UTS 46 (section 5), for non-transitional processing.
///
/// A code point whose mapping is no more than its normalisation counts as valid here: normalising follows anyway.
struct CodePointMapping: Sendable {
    /// Unpacked when the first host outside ASCII comes along.
    static let shared = CodePointMapping()

    enum Action: Sendable, Hashable {
        case valid
        case disallowed
        case ignored
        case replaced(ArraySlice<UInt32>)
    }

    /// The numbers stand for the kinds in the packed table.
    private enum Kind: UInt32 {
        case valid, disallowed, ignored, shifted, alternating, replaced
    }

    /// The first code points of the runs, ascending.
    private var starts: [UInt32] = []
    private var kinds: [Kind] = []
    /// Of a shifted run the distance; of a replaced code point, where its replacement starts in `replacements`.
    private var operands: [Int32] = []
    private var replacements: [UInt32] = []

    private init() {
        var reader = PackedReader(MappingData.packed)
        var start: UInt32 = 0
        while !reader.isAtEnd {
            let head = reader.next()
            guard let kind = Kind(rawValue: head & 7) else { preconditionFailure("a broken mapping table") }
            var operand: Int32 = 0
            if kind == .shifted {
                operand = reader.nextSigned()
            } else if kind == .replaced {
                operand = Int32(replacements.count)
                let count = reader.next()
                replacements.append(count)
                for _ in 0..<count { replacements.append(reader.next()) }
            }
            starts.append(start)
            kinds.append(kind)
            operands.append(operand)
            start += head >> 3
        }
    }

    func action(for point: UInt32) -> Action {
        let run = starts.lastRun(at: point)
        switch kinds[run] {
        case .valid: return .valid
        case .disallowed: return .disallowed
        case .ignored: return .ignored
        case .shifted: return .replaced([UInt32(Int32(point) + operands[run])])
        case .alternating: return (point - starts[run]) & 1 == 0 ? .replaced([point + 1]) : .valid
        case .replaced:
            let first = Int(operands[run])
            return .replaced(replacements[(first + 1)...(first + Int(replacements[first]))])
        }
    }
}

extension [UInt32] {
    /// The index of the last element not above `value`; the first element must not be above it.
    func lastRun(at value: UInt32) -> Int {
        var low = 0
        var high = count
        while high - low > 1 {
            let middle = (low + high) / 2
            if self[middle] <= value { low = middle } else { high = middle }
        }
        return low
    }
}
