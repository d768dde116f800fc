/// What is wrong with a response, as far as its head tells.
package struct ResponseObjections: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let status = ResponseObjections(rawValue: 1)
    /// Counts only if there is content.
    package static let contentType = ResponseObjections(rawValue: 2)
}
