/// What is known of all fields in a ``FieldMemory`` together.
struct FieldSummary: Sendable, BitwiseCopyable {
    /// How many fields there are.
    var count = 0
    /// The bytes of their lines.
    var end = 0
    /// The bytes of the memory.
    let capacity: Int
    /// Where the entries begin, the last one first.
    var entries: Int
    /// A bit for every name that is there, shared by some: what has none is not there.
    var names: UInt64 = 0
    /// What was noticed of any of the fields.
    var marks: FieldMarks = []

    /// Memory of that many bytes without a field.
    init(capacity: Int) {
        self.capacity = capacity
        entries = capacity
    }

    /// The same fields in memory of another size.
    func moved(to capacity: Int) -> FieldSummary {
        var summary = FieldSummary(capacity: capacity)
        (summary.count, summary.end, summary.names, summary.marks) = (count, end, names, marks)
        summary.entries = capacity - (self.capacity - entries)
        return summary
    }

    /// How many bytes lines and entries may still take.
    @inline(__always)
    var room: Int { entries &- end }

    /// The bit of a name, the same one for upper and lower case: of its length, its first and its last byte. The factors
    /// set the names apart that are looked for in every request from those that are often there.
    @inline(__always)
    static func bit(of name: UnsafeRawBufferPointer) -> UInt64 {
        guard let base = name.baseAddress, unsafe !name.isEmpty else { return 1 }
        let (first, last) = unsafe (Int(base.byte(0)) & 0x1F, Int(base.byte(name.count &- 1)) & 0x1F)
        return 1 &<< UInt64(truncatingIfNeeded: first &- name.count &+ (last &+ name.count) &<< 3)
    }
}
