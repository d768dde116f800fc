extension RequestParameters {
    /// How parameters become the text of a query or of a form: `a=1&b=2`.
    ///
    /// The standard style writes keys in order, `key[name]` for named values, the key repeated for each element of an array or
    /// a set, a bare key for null, `true` and `false`, and dates in ISO 8601. Everything but letters, digits and `-._~/?` is
    /// percent-encoded. An infinite number is an error.
    ///
    /// Arrays repeat the key because HTML forms and `URLSearchParams` do, OpenAPI does by default (`form` with `explode`), and so
    /// do the usual clients and servers of Python, Go and Java. `key[]` is the convention of PHP and Rails; a server that knows
    /// nothing of it sees a key with brackets in its name.
    ///
    /// ```swift
    /// var style = RequestParameters.Style.standard
    /// style.arrays = .brackets
    /// style.dates = .secondsSince1970
    /// try style.encode(["tags": ["a", "b"], "since": date])    // since=978307200&tags%5B%5D=a&tags%5B%5D=b
    /// ```
    ///
    /// With `import SockeyeArchiving` a style is `Codable`, each choice by its name, so that it can stand in a configuration
    /// file; a choice that is missing there is the standard style's. A style with closures cannot be encoded: that throws `EncodingError`.
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

        /// The style of a client without another one.
        public static var standard: RequestParameters.Style { RequestParameters.Style() }

        /// AFNetworking's style (`AFQueryStringFromParameters`), with its order and escaping to the byte: `key[]` for arrays, the
        /// key repeated for sets, 1 and 0 for booleans, dates as Foundation describes them.
        ///
        /// It differs on purpose in two things. AFNetworking wrote data as its abridged description, which no server can read;
        /// here it is Base64. It wrote infinite numbers as `inf`; here they are an error. Keys are ordered by their Unicode
        /// scalars, composed; AFNetworking's are decomposed, which differs for keys with accented letters only.
        public static var afNetworking: RequestParameters.Style {
            RequestParameters.Style(arrays: .brackets, booleans: .digits, dates: .description)
        }

        /// Makes a style from choices; those that are not given are the standard style's.
        public init(
            arrays: ArrayKeys = .repeated, sets: SetKeys = .repeated, nesting: NestedKeys = .brackets,
            booleans: BooleanFormat = .words, dates: DateFormat = .iso8601, data: DataFormat = .base64,
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
