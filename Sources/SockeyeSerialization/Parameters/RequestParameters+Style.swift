extension RequestParameters {
    /// The rules by which parameters become the text of a query or a form: `a=1&b=2`.
    ///
    /// The standard style writes keys in ascending order, and `key[name]` for nested values. It repeats the key for
    /// each element of an array or a set, and writes a bare key for null. Booleans are `true` and `false`, and dates
    /// are in ISO 8601. Everything but ASCII letters, digits and `-._~/?` is percent-encoded. Infinite numbers and NaN
    /// are errors.
    ///
    /// Repeating the key is the convention of HTML forms, of OpenAPI (`form` with `explode`), and of the usual clients
    /// and servers of Python, Go and Java. `key[]` is the convention of PHP and Rails; other servers see a key with
    /// brackets in its name.
    ///
    /// ```swift
    /// var style = RequestParameters.Style.standard
    /// style.arrays = .brackets
    /// style.dates = .secondsSince1970
    /// // since=978307200&tags%5B%5D=a&tags%5B%5D=b
    /// try style.encode(["tags": ["a", "b"], "since": date])
    /// ```
    ///
    /// With `import SockeyeArchiving` a style is `Codable`, so it can be part of a configuration file. Each choice is
    /// encoded as its name, such as `brackets`. When decoding, missing choices are those of the standard style.
    /// Encoding a style that contains a closure throws the standard library's `EncodingError`.
    public struct Style: Sendable {
        /// The keys of the elements of arrays.
        public var arrays: ArrayKeys
        /// The keys of the elements of sets.
        public var sets: SetKeys
        /// The keys of nested values.
        public var nesting: NestedKeys
        /// The text for true and false.
        public var booleans: BooleanFormat
        /// The text for dates.
        public var dates: DateFormat
        /// The text for data.
        public var data: DataFormat
        /// The text for null.
        public var nulls: NullFormat
        /// The text for infinite numbers and NaN.
        public var nonFinite: NonFiniteFormat
        /// The spelling of names in keys.
        public var keyCase: KeyCase
        /// The text for spaces.
        public var spaces: SpaceFormat
        /// The order of keys.
        public var order: KeyOrder
        /// A closure that replaces all other choices; see ``custom(_:)``. Nil if the other choices apply.
        package private(set) var whole: (@Sendable (RequestParameters) throws -> String)?

        /// The default style of a client.
        public static var standard: RequestParameters.Style { RequestParameters.Style() }

        /// AFNetworking's style (`AFQueryStringFromParameters`): `key[]` for arrays, the key repeated for sets, 1 and 0
        /// for Booleans, and dates as Foundation describes them. Keys are ordered and text is escaped as in
        /// AFNetworking.
        ///
        /// There are three differences. AFNetworking wrote data as its abridged description, which no server can read;
        /// here data is Base64. AFNetworking wrote infinite numbers and NaN as `inf`, `-inf` and `nan`; here they are
        /// errors. AFNetworking ordered accented letters in keys by their decomposed Unicode scalars; this style uses
        /// the composed ones.
        public static var afNetworking: RequestParameters.Style {
            RequestParameters.Style(arrays: .brackets, booleans: .digits, dates: .description)
        }

        /// Creates a style. Omitted arguments are the choices of the standard style.
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

        /// Creates a style from a closure, like AFNetworking's `setQueryStringSerializationWithBlock:`.
        ///
        /// All other choices of the style are ignored.
        ///
        /// - Parameter encode: Returns the percent-encoded text of all parameters. A request serializer, such as
        ///   `.form`, calls the closure even if the parameters are empty. For the argument `query` of a client's
        ///   method, such as `get`, the closure is called only if the argument is not empty. An error of the closure
        ///   becomes the ``RequestParameters/EncodingError/underlying`` error.
        public static func custom(_ encode: @escaping @Sendable (RequestParameters) throws -> String)
            -> RequestParameters.Style
        {
            var style = standard
            style.whole = encode
            return style
        }
    }
}
