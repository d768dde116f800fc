/// The mapping table of UTS 46 (section 5), for non-transitional processing.
///
/// A code point that maps to its own normalisation counts as valid here, because normalisation follows anyway.
struct CodePointMapping: Sendable {
    /// The unpacked table, made on first use.
    static let shared = CodePointMapping()

    enum Action: Sendable, Hashable {
        case valid
        case disallowed
        case ignored
        case replaced(ArraySlice<UInt32>)
    }

    /// The kinds of runs; the raw values are those of the packed table.
    private enum Kind: UInt32 {
        case valid, disallowed, ignored, shifted, alternating, replaced
    }

    /// The first code points of all runs, ascending.
    private var starts: [UInt32] = []
    private var kinds: [Kind] = []
    /// For a shifted run, the distance. For a replaced code point, the start of its replacement in `replacements`.
    private var operands: [Int32] = []
    private var replacements: [UInt32] = []

    private init() {
        var reader = LEB128Reader(MappingData.packed)
        var start: UInt32 = 0
        while !reader.isAtEnd {
            let head = reader.next()
            guard let kind = Kind(rawValue: head & 7) else {
                preconditionFailure("the IDNA mapping table is malformed")
            }
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
    /// Returns the index of the last element that is not above `value`. The first element must not be above it.
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
    /// The classes of the bidirectional algorithm that RFC 5893 distinguishes. The raw values are those of the packed
    /// table.
    enum Bidi: UInt8, Sendable {
        case other, left, right, arabicLetter, arabicNumber, europeanNumber, nonspacing
        /// ES, CS, ET, ON and BN.
        case neutral
    }

    /// The joining types that RFC 5892, A.1 distinguishes. The raw values are those of the packed table.
    enum Joining: UInt8, Sendable {
        case none, left, right, dual, transparent
    }

    let combiningClass: UInt8
    let bidi: Bidi
    let joining: Joining
    /// True if the general category is Mark.
    let isMark: Bool

    /// True for signs that may precede a joiner, by their combining class (RFC 5892, A.1 and A.2).
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

    /// The unpacked table, made on first use.
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
