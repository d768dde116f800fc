public import FoundationEssentials

extension ParameterStyle {
    /// How dates are written, in UTC.
    public enum DateFormat: Sendable {
        /// `2001-01-01 00:00:00 +0000`, the fraction of the second cut off, as AFNetworking has it.
        case description
        /// `2001-01-01T00:00:00Z` (RFC 3339), the fraction of the second cut off.
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
}

extension ParameterStyle.DateFormat: NamedChoice {
    static var named: [Self] {
        [.description, .iso8601, .iso8601WithMilliseconds, .secondsSince1970, .millisecondsSince1970]
    }

    var name: String? {
        switch self {
        case .description: "description"
        case .iso8601: "iso8601"
        case .iso8601WithMilliseconds: "iso8601WithMilliseconds"
        case .secondsSince1970: "secondsSince1970"
        case .millisecondsSince1970: "millisecondsSince1970"
        case .custom: nil
        }
    }
}
