/// How ``JSONValue`` is written. The members mean what they mean in `JSONSerialization.WritingOptions`; none of them
/// gives the same text as there, except that members keep their order.
public struct JSONWritingOptions: OptionSet, Sendable, Hashable {
    /// The options as bits.
    public let rawValue: UInt8

    /// Makes options of bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// One member or element a line, indented by two spaces for each level.
    public static let prettyPrinted = JSONWritingOptions(rawValue: 1 << 0)
    /// Members sorted by the UTF-8 bytes of their keys, for texts that are compared or signed.
    public static let sortedKeys = JSONWritingOptions(rawValue: 1 << 1)
    /// `/` as it is instead of `\/`.
    public static let withoutEscapingSlashes = JSONWritingOptions(rawValue: 1 << 2)
}
