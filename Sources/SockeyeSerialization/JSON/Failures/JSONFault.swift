/// What the parser found wrong, before anybody looks up the line.
struct JSONFault: Error {
    let kind: JSONError.Kind
    let message: String
    /// Counted in the UTF-8 form of the text.
    let offset: Int

    static func tooManyMarks(at offset: Int) -> JSONFault {
        JSONFault(.tooManyMarks, at: offset, "more than \(CombiningRuns.limit) combining marks follow each other")
    }

    init(_ kind: JSONError.Kind, at offset: Int, _ message: String) {
        self.kind = kind
        self.offset = offset
        self.message = message
    }
}
