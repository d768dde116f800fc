/// What a line of ``AddedFields`` consists of, and where it comes from.
struct AddedEntry: Sendable, BitwiseCopyable {
    private let name: UInt32
    private let value: UInt32
    /// How far the request was when it came.
    let position: Int
    /// As of the field.
    let note: Int?

    init(nameCount: Int, valueCount: Int, position: Int, note: Int?) {
        name = UInt32(nameCount)
        value = UInt32(valueCount)
        self.position = position
        self.note = note
    }

    var nameCount: Int { Int(name) }
    var valueCount: Int { Int(value) }
    var lineCount: Int { nameCount + valueCount + FieldEntry.separators }
}
