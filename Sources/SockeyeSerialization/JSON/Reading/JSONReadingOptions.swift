extension JSONValue {
    /// What is accepted as JSON, and how much of it.
    ///
    /// The grammar is always that of RFC 8259: no comments, trailing commas, unquoted keys, NaN or leading zeros.
    public struct ReadingOptions: Sendable, Hashable {
        /// What to do about a key that comes twice in one object, which RFC 8259, 4 leaves open.
        public enum DuplicateKeys: String, Sendable, Hashable {
            /// The last value counts, in the place of the first, as in `JSONSerialization` and in browsers.
            case lastWins
            /// The first value counts, as in `JSONDecoder`.
            case firstWins
            /// The text is refused with ``JSONError/Kind-swift.struct/duplicateKey``: for whoever must not read something
            /// else than the peer's other readers do.
            case error
        }

        /// What to do about a key that comes twice in one object; the last value counts by default.
        public var duplicateKeys = DuplicateKeys.lastWins

        /// Whether the text may be a lone string, number, Boolean or null, as RFC 8259 allows; true by default.
        /// `JSONSerialization`, and with it AFNetworking, refuses those unless told otherwise.
        public var allowsFragments = true

        /// How many arrays and objects may stand inside each other: 200 by default, and ``deepest`` at most; a larger number
        /// counts as that.
        ///
        /// A value is freed by recursion, wherever it happens to be let go, and that cannot fail: with 200 levels it takes less
        /// than 64 KiB of stack, with more up to 250 bytes for each. Some threads have no more than 128 KiB.
        public var maximumDepth = 200

        /// How many bytes the text may have: 64 MiB by default. Reading takes memory for what comes out: most texts some
        /// five times their size, and none more than thirty times, which one of nothing but `[0],[0],…` comes close to.
        public var maximumSize = 64 << 20

        /// The most that ``maximumDepth`` can be: freeing such a value takes 512 KiB of stack.
        public static let deepest = 2048

        /// Makes the default options.
        public init() {}

        /// Makes options; see the properties.
        public init(
            duplicateKeys: DuplicateKeys = .lastWins, allowsFragments: Bool = true, maximumDepth: Int = 200,
            maximumSize: Int = 64 << 20
        ) {
            self.duplicateKeys = duplicateKeys
            self.allowsFragments = allowsFragments
            self.maximumDepth = maximumDepth
            self.maximumSize = maximumSize
        }
    }
}
