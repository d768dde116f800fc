/// Holds the content of one part against the length that was declared for it. Pure.
package struct PartLedger: Sendable {
    private let part: Int
    private let declared: Int?
    package private(set) var written = 0

    /// - Parameters:
    ///   - part: The number of the part, from 1.
    ///   - declared: Its length; nil where it may have any.
    package init(part: Int, declared: Int?) {
        self.part = part
        self.declared = declared
    }

    /// Notes that `count` bytes come next. Throws before one too many can go out.
    package mutating func take(_ count: Int) throws(MultipartFault) {
        if let declared, count > declared - written { throw .partTooLong(part: part, declared: declared) }
        written += count
    }

    /// Notes that the part is over.
    package func finish() throws(MultipartFault) {
        guard let declared, written < declared else { return }
        throw .partTooShort(part: part, declared: declared, seen: written)
    }
}
