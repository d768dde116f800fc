/// What is wrong, before it is known where.
struct XMLFault: Error {
    let kind: XMLError.Kind
    let message: String

    init(_ kind: XMLError.Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }
}
