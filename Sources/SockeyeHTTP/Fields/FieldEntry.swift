/// Where a field line and its parts are in the memory of a ``FieldStorage``, and what was noticed of it.
struct FieldEntry: Sendable, BitwiseCopyable {
    /// Where the line begins.
    let start: Int
    let nameCount: Int
    let valueCount: Int
    let marks: FieldMarks

    /// The bytes of a line besides name and value: `: ` and CRLF.
    static let separators = 4

    var name: Range<Int> { start..<start + nameCount }
    var value: Range<Int> { start + nameCount + 2..<start + nameCount + 2 + valueCount }
    /// The line with its CRLF.
    var line: Range<Int> { start..<start + lineCount }
    var lineCount: Int { nameCount + valueCount + Self.separators }
}
