public import SockeyeEssentials

// The choices for keys. "The standard style" marks the choices of `RequestParameters.Style.standard`.
extension RequestParameters.Style {
    /// The keys of the elements of arrays. The elements are written in the array's order.
    @nonexhaustive public enum ArrayKeys: Sendable {
        /// `key[]` for each element, as in AFNetworking, PHP and Rails.
        case brackets
        /// The key itself for each element. The standard style.
        case repeated
        /// `key[0]`, `key[1]` and so on.
        case indices
        /// A key that a closure makes from the array's key and the element's index, before percent-encoding.
        case custom(@Sendable (_ key: String, _ index: Int) -> String)
    }

    /// The keys of the elements of sets.
    ///
    /// In every style, elements are sorted as in AFNetworking: by a text that resembles Foundation's description of the
    /// element. For example, the text of a date is `2001-01-01 00:00:00 +0000`, and the text of data is its hexadecimal
    /// digits.
    @nonexhaustive public enum SetKeys: String, Sendable, CaseIterable {
        /// The key itself for each element. The standard style, and AFNetworking's.
        case repeated
        /// The same keys as for arrays.
        case likeArrays
    }

    /// The keys of nested values.
    @nonexhaustive public enum NestedKeys: Sendable {
        /// `key[name]`. The standard style, and AFNetworking's.
        case brackets
        /// `key.name`.
        case dots
        /// A key that a closure makes from the outer key and the name, before percent-encoding.
        case custom(@Sendable (_ key: String, _ name: String) -> String)
    }

    /// The spelling of names in keys; applied to each name of a nested key.
    @nonexhaustive public enum KeyCase: Sendable {
        /// Unchanged. The standard style, and AFNetworking's.
        case unchanged
        /// `baseURLString` becomes `base_url_string`.
        case snakeCase
        /// `baseURLString` becomes `base-url-string`.
        case kebabCase
        /// All letters in lower case.
        case lowercased
        /// All letters in upper case.
        case uppercased
        /// The first letter in upper case, the rest unchanged.
        case capitalized
        /// A name that a closure makes, before percent-encoding.
        case custom(@Sendable (_ name: String) -> String)
    }

    /// The order of the names at each level.
    ///
    /// Every choice gives the same text for the same parameters in every process.
    @nonexhaustive public enum KeyOrder: Sendable {
        /// By Unicode scalars, so capital letters precede small letters. The standard style, and AFNetworking's.
        case ascending
        /// Case-insensitive; names that differ only in case are in ``ascending`` order.
        case ignoringCase
        /// By a closure that returns true if the first name precedes the second; it must be a strict weak order.
        ///
        /// Equivalent names are in ``ascending`` order. The closure gets names spelled by
        /// ``RequestParameters/Style/keyCase``.
        case custom(@Sendable (_ first: String, _ second: String) -> Bool)
    }
}

// The choices for values.
extension RequestParameters.Style {
    /// The text for true and false.
    @nonexhaustive public enum BooleanFormat: Sendable {
        /// `1` and `0`, as in AFNetworking.
        case digits
        /// `true` and `false`. The standard style.
        case words
        /// Text that a closure makes, before percent-encoding.
        case custom(@Sendable (Bool) -> String)
    }

    /// The text for dates, in UTC.
    @nonexhaustive public enum DateFormat: Sendable {
        /// `2001-01-01 00:00:00 +0000`, the fraction of the second truncated, as in AFNetworking.
        case description
        /// `2001-01-01T00:00:00Z` (RFC 3339), the fraction of the second truncated. The standard style.
        case iso8601
        /// `2001-01-01T00:00:00.000Z` (RFC 3339), rounded to milliseconds.
        case iso8601WithMilliseconds
        /// Seconds since 1970, with a fraction if there is one: `978307200`.
        case secondsSince1970
        /// Milliseconds since 1970, rounded: `978307200000`.
        case millisecondsSince1970
        /// Text that a closure makes, before percent-encoding.
        case custom(@Sendable (Date) throws -> String)
    }

    /// The text for data.
    @nonexhaustive public enum DataFormat: Sendable {
        /// Base64 with padding (RFC 4648, 4). The standard style.
        case base64
        /// Base64 with `-` and `_` and without padding (RFC 4648, 5).
        case base64URL
        /// Two lower-case digits for each byte.
        case hexadecimal
        /// Text that a closure makes, before percent-encoding.
        case custom(@Sendable (Data) throws -> String)
    }

    /// The text for null.
    @nonexhaustive public enum NullFormat: String, Sendable, CaseIterable {
        /// The key without `=`. The standard style, and AFNetworking's.
        case bareKey
        /// The key with `=` and an empty value.
        case empty
        /// Omitted.
        case dropped
    }

    /// The text for infinite numbers and NaN.
    @nonexhaustive public enum NonFiniteFormat: String, Sendable, CaseIterable {
        /// An error: encoding throws ``RequestParameters/EncodingError/Code-swift.struct/nonFiniteNumber``. The
        /// standard style.
        case error
        /// `inf`, `-inf` and `nan`, as in AFNetworking.
        case words
        /// The same text as for null; see ``RequestParameters/Style/nulls``.
        case null
    }

    /// The text for spaces in keys and values.
    @nonexhaustive public enum SpaceFormat: String, Sendable, CaseIterable {
        /// `%20`. The standard style, and AFNetworking's.
        case percentEncoded
        /// `+`, as browsers write it in forms. A plus sign is always `%2B`.
        case plus
    }
}
