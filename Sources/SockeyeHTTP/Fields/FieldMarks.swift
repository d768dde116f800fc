/// What was noticed of a field, or of any of several, when it was added.
struct FieldMarks: OptionSet, Sendable, BitwiseCopyable {
    let rawValue: UInt8

    /// The name is no token (RFC 9110 5.1).
    static let invalidName = FieldMarks(rawValue: 1)
    /// The value holds a control byte other than HTAB (RFC 9110 5.5).
    static let invalidValue = FieldMarks(rawValue: 2)
    /// It is Host.
    static let host = FieldMarks(rawValue: 4)
    /// It is one that only the client writes.
    static let client = FieldMarks(rawValue: 8)
    /// It is for proxies only.
    static let proxy = FieldMarks(rawValue: 16)

    /// Either of the faults.
    static let invalid: FieldMarks = [.invalidName, .invalidValue]

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The mark of whoever decides about a field.
    @inline(__always)
    init(_ ownership: FieldOwnership) {
        switch ownership {
        case .caller: self = []
        case .host: self = .host
        case .client: self = .client
        case .proxy: self = .proxy
        }
    }
}
