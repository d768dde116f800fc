/// Why a value cannot become parameters, or parameters cannot become text.
public struct ParameterEncodingError: Error, Sendable, Hashable {
    /// What was wrong.
    public enum Reason: Sendable, Hashable {
        /// A number that is not finite, where the style asks for an error; its name: `nan`, `inf`, `-inf`.
        case nonFiniteNumber(String)
    }

    /// What was wrong.
    public let reason: Reason
    /// The keys that lead to the value, outermost first; elements of arrays are named by their index.
    public let path: [String]

    /// Makes an error about the value at `path`.
    public init(_ reason: Reason, at path: [String]) {
        self.reason = reason
        self.path = path
    }
}
