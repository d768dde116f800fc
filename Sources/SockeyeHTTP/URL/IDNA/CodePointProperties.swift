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
            var reader = PackedReader(PropertyData.packed)
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
