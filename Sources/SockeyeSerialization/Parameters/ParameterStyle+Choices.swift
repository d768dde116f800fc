public import FoundationEssentials

// The keys of a style: how names, elements and members are spelled and ordered.
extension RequestParameters.Style {
    /// The keys of the elements of arrays, in order.
    @nonexhaustive public enum ArrayKeys: Sendable {
        /// `key[]` for each, as AFNetworking, PHP and Rails have it.
        case brackets
        /// The key itself for each: the standard style.
        case repeated
        /// `key[0]`, `key[1]` and so on.
        case indices
        /// A key made of the array's key and the index of the element, before percent-encoding.
        case custom(@Sendable (_ key: String, _ index: Int) -> String)
    }

    /// The keys of the elements of sets. Elements are sorted by their text.
    @nonexhaustive public enum SetKeys: String, Sendable, CaseIterable {
        /// The key itself for each: the standard style, and AFNetworking's.
        case repeated
        /// As for arrays.
        case likeArrays
    }

    /// The keys of named values inside others.
    @nonexhaustive public enum NestedKeys: Sendable {
        /// `key[name]`: the standard style, and AFNetworking's.
        case brackets
        /// `key.name`.
        case dots
        /// A key made of the outer key and the name, before percent-encoding.
        case custom(@Sendable (_ key: String, _ name: String) -> String)
    }

    /// How the names in keys are spelled; each name of a nested key on its own.
    @nonexhaustive public enum KeyCase: Sendable {
        /// As they are: the standard style, and AFNetworking's.
        case unchanged
        /// `baseURLString` becomes `base_url_string`.
        case snakeCase
        /// `baseURLString` becomes `base-url-string`.
        case kebabCase
        /// All letters in lower case.
        case lowercased
        /// All letters in upper case.
        case uppercased
        /// The first letter in upper case.
        case capitalized
        /// What a closure makes of a name, before percent-encoding.
        case custom(@Sendable (_ name: String) -> String)
    }

    /// The order of the names at each level. There is always one: the same parameters give the same text, in every process,
    /// so that caches and signatures can rely on it.
    @nonexhaustive public enum KeyOrder: Sendable {
        /// By Unicode scalars, capitals before small letters: the standard style, and AFNetworking's.
        case ascending
        /// Without regard to case, then as ``ascending``.
        case ignoringCase
        /// By a closure that says whether the first name precedes the second, which must be a strict weak order; names that
        /// neither precedes are in ``ascending`` order. Names are those of ``RequestParameters/Style/keyCase``.
        case custom(@Sendable (_ first: String, _ second: String) -> Bool)
    }
}

// The values of a style: how each type becomes text.
extension RequestParameters.Style {
    /// How true and false are written.
    @nonexhaustive public enum BooleanFormat: Sendable {
        /// `1` and `0`, as AFNetworking has it.
        case digits
        /// `true` and `false`: the standard style.
        case words
        /// Text that a closure makes, before percent-encoding.
        case custom(@Sendable (Bool) -> String)
    }

    /// How dates are written, in UTC.
    @nonexhaustive public enum DateFormat: Sendable {
        /// `2001-01-01 00:00:00 +0000`, the fraction of the second cut off, as AFNetworking has it.
        case description
        /// `2001-01-01T00:00:00Z` (RFC 3339), the fraction of the second cut off: the standard style.
        case iso8601
        /// `2001-01-01T00:00:00.000Z` (RFC 3339), to the nearest millisecond.
        case iso8601WithMilliseconds
        /// Seconds since 1970, with a fraction where there is one: `978307200`.
        case secondsSince1970
        /// Milliseconds since 1970, to the nearest: `978307200000`.
        case millisecondsSince1970
        /// Text that a closure makes, before percent-encoding.
        case custom(@Sendable (Date) throws -> String)
    }

    /// How data is written.
    @nonexhaustive public enum DataFormat: Sendable {
        /// Base64 with padding (RFC 4648, 4).
        case base64
        /// Base64 with `-` and `_` and without padding (RFC 4648, 5).
        case base64URL
        /// Two lower-case digits for each byte.
        case hexadecimal
        /// Text that a closure makes, before percent-encoding.
        case custom(@Sendable (Data) throws -> String)
    }

    /// How null is written.
    @nonexhaustive public enum NullFormat: String, Sendable, CaseIterable {
        /// The key without `=`: the standard style, and AFNetworking's.
        case bareKey
        /// The key with `=` and nothing behind it.
        case empty
        /// Not at all.
        case dropped
    }

    /// How numbers are written that are infinite or NaN.
    @nonexhaustive public enum NonFiniteFormat: String, Sendable, CaseIterable {
        /// Not: encoding throws ``RequestParameters/EncodingError/Code-swift.struct/nonFiniteNumber``.
        case error
        /// `inf`, `-inf` and `nan`, as AFNetworking has it.
        case words
        /// As null is, by the style's ``RequestParameters/Style/nulls``.
        case null
    }

    /// How spaces in keys and values are written.
    @nonexhaustive public enum SpaceFormat: String, Sendable, CaseIterable {
        /// `%20`: the standard style, and AFNetworking's.
        case percentEncoded
        /// `+`, as browsers have it in forms. A plus sign is `%2B` either way.
        case plus
    }
}
