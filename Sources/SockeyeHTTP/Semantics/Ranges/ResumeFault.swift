/// Why an answer cannot be used.
package enum ResumeFault: Error, Sendable, Hashable {
    /// The status says that there is no content to be had.
    case status
    /// A part came although none was asked for.
    case unaskedPart
}
