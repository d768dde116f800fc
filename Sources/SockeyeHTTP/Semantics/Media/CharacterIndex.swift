import CSockeyeData

/// An index of the Encoding standard (WHATWG Encoding, 5). It maps a pointer, the number that the standard assigns to a
/// byte pair, to a code point.
struct CharacterIndex: Sendable {
    private let runs: ConstantTable<sockeye_index_run>
    private let points: ConstantTable<UInt16>
    /// A bit for each pointer: 1 if its code point is in plane 2. Nil if the index has no such code point.
    private let planes: ConstantTable<UInt8>?

    private init(_ runs: sockeye_table, _ points: sockeye_table, planes: sockeye_table? = nil) {
        unsafe self.runs = ConstantTable(runs)
        unsafe self.points = ConstantTable(points)
        unsafe self.planes = planes.map { unsafe ConstantTable($0) }
    }

    static var big5: CharacterIndex {
        unsafe CharacterIndex(sockeye_big5_runs, sockeye_big5_points, planes: sockeye_big5_planes)
    }
    static var eucKR: CharacterIndex { unsafe CharacterIndex(sockeye_euc_kr_runs, sockeye_euc_kr_points) }
    static var gb18030: CharacterIndex { unsafe CharacterIndex(sockeye_gb18030_runs, sockeye_gb18030_points) }
    static var jis0208: CharacterIndex { unsafe CharacterIndex(sockeye_jis0208_runs, sockeye_jis0208_points) }
    static var jis0212: CharacterIndex { unsafe CharacterIndex(sockeye_jis0212_runs, sockeye_jis0212_points) }

    /// Returns the code point of a pointer, which must not be negative; nil if the pointer has no code point.
    subscript(pointer: Int) -> UInt32? {
        guard let run = runs.last(upTo: pointer, by: { Int($0.start) }) else { return nil }
        let offset = pointer - Int(run.start)
        let value = Int(run.value)
        let point = run.is_listed == 1 ? Int(points[value + offset]) : value == 0 ? 0 : value + offset
        guard point != 0 else { return nil }
        let isHigh = planes.map { $0[pointer / 8] >> (pointer % 8) & 1 == 1 } ?? false
        return UInt32(point) | (isHigh ? 0x20000 : 0)
    }
}
