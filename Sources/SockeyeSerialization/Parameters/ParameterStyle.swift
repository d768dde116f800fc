extension RequestParameters {
    /// How parameters become the text of a query or of a form: `a=1&b=2`.
    ///
    /// The defaults are AFNetworking's (`AFQueryStringFromParameters`), whose order and escaping they keep to the byte:
    /// keys sorted, `key[name]` for named values, `key[]` for arrays, the key repeated for sets, a bare key for null, 1 and
    /// 0 for booleans, everything but letters, digits and `-._~/?` percent-encoded. Two things differ on purpose:
    /// AFNetworking wrote data as its abridged description, which no server can read, where this is base64; and infinite
    /// numbers as `inf`, where this is an error. Keys are ordered by their Unicode scalars, composed; AFNetworking's are
    /// decomposed, which differs for keys with accented letters only.
    ///
    /// ```swift
    /// var style = RequestParameters.Style.standard
    /// style.arrays = .repeated
    /// style.dates = .iso8601
    /// try style.encode(["tags": ["a", "b"], "since": .date(date)])    // since=2001-01-01T00%3A00%3A00Z&tags=a&tags=b
    /// ```
    ///
    /// With `import SockeyeArchiving` a style is `Codable`, each choice by its name, so that it can stand in a configuration
    /// file; what is missing there is the default. A style with closures cannot be encoded: that throws `EncodingError`.
    public struct Style: Sendable {
        /// The keys of the elements of arrays.
        public var arrays: ArrayKeys
        /// The keys of the elements of sets.
        public var sets: SetKeys
        /// The keys of named values inside others.
        public var nesting: NestedKeys
        /// How true and false are written.
        public var booleans: BooleanFormat
        /// How dates are written.
        public var dates: DateFormat
        /// How data is written.
        public var data: DataFormat
        /// How null is written.
        public var nulls: NullFormat
        /// How numbers are written that are infinite or NaN.
        public var nonFinite: NonFiniteFormat
        /// How the names in keys are spelled.
        public var keyCase: KeyCase
        /// How spaces are written.
        public var spaces: SpaceFormat
        /// The order of keys.
        public var order: KeyOrder
        /// What writes everything instead; see ``custom(_:)``.
        package private(set) var whole: (@Sendable (RequestParameters) throws -> String)?

        /// AFNetworking's style.
        public static var standard: RequestParameters.Style { RequestParameters.Style() }

        /// Makes a style from choices; those that are not given are AFNetworking's.
        public init(
            arrays: ArrayKeys = .brackets, sets: SetKeys = .repeated, nesting: NestedKeys = .brackets,
            booleans: BooleanFormat = .digits, dates: DateFormat = .description, data: DataFormat = .base64,
            nulls: NullFormat = .bareKey, nonFinite: NonFiniteFormat = .error, keyCase: KeyCase = .unchanged,
            spaces: SpaceFormat = .percentEncoded, order: KeyOrder = .ascending
        ) {
            self.arrays = arrays
            self.sets = sets
            self.nesting = nesting
            self.booleans = booleans
            self.dates = dates
            self.data = data
            self.nulls = nulls
            self.nonFinite = nonFinite
            self.keyCase = keyCase
            self.spaces = spaces
            self.order = order
        }

        /// A style that is a closure, as `setQueryStringSerializationWithBlock:` is in AFNetworking.
        ///
        /// - Parameter encode: Writes all parameters, percent-encoded as far as a query needs it; called for empty
        ///   parameters, too, but not for a call without a query. No other choice of the style is looked at. What it
        ///   throws is the ``RequestParameters/EncodingError/underlying`` error.
        public static func custom(_ encode: @escaping @Sendable (RequestParameters) throws -> String)
            -> RequestParameters.Style
        {
            var style = standard
            style.whole = encode
            return style
        }
    }
}
