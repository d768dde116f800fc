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
        var reader = LEB128Reader(MappingData.packed)
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

/// The Unicode properties of a code point that IDNA depends on.
struct CodePointProperties: Sendable, Hashable {
    /// Classes of the bidirectional algorithm as far as RFC 5893 tells them apart. Numbered as in the packed table.
    enum Bidi: UInt8, Sendable {
        case other, left, right, arabicLetter, arabicNumber, europeanNumber, nonspacing
        /// ES, CS, ET, ON and BN.
        case neutral
    }

    /// Joining types as far as RFC 5892, A.1 tells them apart. Numbered as in the packed table.
    enum Joining: UInt8, Sendable {
        case none, left, right, dual, transparent
    }

    let combiningClass: UInt8
    let bidi: Bidi
    let joining: Joining
    /// Whether the general category is Mark.
    let isMark: Bool

    /// The combining class of the signs that ask for a joiner after them (RFC 5892, A.1 and A.2).
    var isVirama: Bool { combiningClass == 9 }

    init(_ point: UInt32) {
        self = Self.table[point]
    }

    private init(packed: UInt32) {
        combiningClass = UInt8(packed & 0xFF)
        bidi = Bidi(rawValue: UInt8(packed >> 8 & 7)) ?? .other
        joining = Joining(rawValue: UInt8(packed >> 11 & 7)) ?? .none
        isMark = packed >> 14 & 1 != 0
    }

    /// Unpacked when the first host outside ASCII comes along.
    private static let table = Table()

    private struct Table: Sendable {
        var starts: [UInt32] = []
        var indices: [UInt8] = []
        var values: [CodePointProperties] = []

        init() {
            var reader = LEB128Reader(PropertyData.packed)
            for _ in 0..<reader.next() { values.append(CodePointProperties(packed: reader.next())) }
            var start: UInt32 = 0
            while !reader.isAtEnd {
                starts.append(start)
                start += reader.next()
                indices.append(UInt8(reader.next()))
            }
        }

        subscript(point: UInt32) -> CodePointProperties { values[Int(indices[starts.lastRun(at: point)])] }
    }
}
