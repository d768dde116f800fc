import SockeyeEssentials

/// The text that a style gives to a value without nested values, before percent-encoding.
enum ScalarText: Hashable {
    /// Neither the key nor a value is written.
    case nothing
    /// Only the key is written.
    case bareKey
    case text(String)

    init(_ value: ParameterValue, _ style: RequestParameters.Style) throws(RequestParameters.EncodingError) {
        switch value {
        case .null, .array, .set, .dictionary: self.init(style.nulls)
        case .bool(let value): self = .text(style.booleans.text(value))
        case .integer(let value): self = .text(value.description)
        case .unsignedInteger(let value): self = .text(value.description)
        case .double(let value): try self.init(value, style)
        case .decimal(let value): try self.init(value, style)
        case .string(let value): self = .text(value)
        case .data(let value): self = .text(try style.data.text(value))
        case .date(let value): try self.init(value, style)
        case .unsupported: throw RequestParameters.EncodingError(.unsupportedValue)
        }
    }

    private init(_ format: RequestParameters.Style.NullFormat) {
        switch format {
        case .bareKey: self = .bareKey
        case .empty: self = .text("")
        case .dropped: self = .nothing
        }
    }

    private init(_ value: Double, _ style: RequestParameters.Style) throws(RequestParameters.EncodingError) {
        if value.isFinite {
            self = .text(ParameterText.number(value))
            return
        }
        switch style.nonFinite {
        case .error: throw RequestParameters.EncodingError(.nonFiniteNumber)
        case .words: self = .text(value.description)
        case .null: self.init(style.nulls)
        }
    }

    /// A `Decimal` is never infinite, but it may be NaN.
    private init(_ value: Decimal, _ style: RequestParameters.Style) throws(RequestParameters.EncodingError) {
        if value.isNaN { try self.init(Double.nan, style) } else { self = .text(value.description) }
    }

    private init(_ value: Date, _ style: RequestParameters.Style) throws(RequestParameters.EncodingError) {
        let seconds = value.timeIntervalSince1970
        switch style.dates {
        case .secondsSince1970: try self.init(seconds, style)
        case .millisecondsSince1970:
            guard seconds.isFinite else { throw RequestParameters.EncodingError(.nonFiniteNumber) }
            guard let milliseconds = Int64(exactly: (seconds * 1000).rounded()) else {
                throw RequestParameters.EncodingError(.dateOutOfRange)
            }
            self = .text(milliseconds.description)
        case .custom(let text):
            self = .text(try RequestParameters.EncodingError.wrappingStyleErrors { try text(value) })
        case .description: self = .text(try Self.calendar(value).spaced)
        case .iso8601: self = .text(try Self.calendar(value).iso8601)
        case .iso8601WithMilliseconds:
            self = .text(try Self.calendar(value, rounding: true).iso8601WithMilliseconds)
        }
    }

    private static func calendar(_ date: Date, rounding: Bool = false) throws(RequestParameters.EncodingError)
        -> DateText
    {
        if let text = DateText(date, rounding: rounding) { return text }
        throw RequestParameters.EncodingError(date.timeIntervalSince1970.isFinite ? .dateOutOfRange : .nonFiniteNumber)
    }
}

extension RequestParameters.Style.BooleanFormat {
    fileprivate func text(_ value: Bool) -> String {
        switch self {
        case .digits: value ? "1" : "0"
        case .words: value ? "true" : "false"
        case .custom(let text): text(value)
        }
    }
}

extension RequestParameters.Style.DataFormat {
    fileprivate func text(_ value: Data) throws(RequestParameters.EncodingError) -> String {
        switch self {
        case .base64: value.base64EncodedString()
        case .base64URL: ParameterText.base64URL(value)
        case .hexadecimal: ParameterText.hexadecimal(value)
        case .custom(let text): try RequestParameters.EncodingError.wrappingStyleErrors { try text(value) }
        }
    }
}

extension RequestParameters.EncodingError {
    /// Runs a closure of a style. An error of the closure becomes the underlying error of `styleFailed`.
    static func wrappingStyleErrors(_ closure: () throws -> String) throws(RequestParameters.EncodingError) -> String {
        do { return try closure() } catch { throw RequestParameters.EncodingError(.styleFailed, underlying: error) }
    }
}

/// Text forms of numbers and data, before percent-encoding.
enum ParameterText {
    /// Returns the shortest decimal form that reads back as the same number. The `.0` of a whole number is omitted, as
    /// in the description of an `NSNumber`.
    static func number(_ value: Double) -> String {
        let text = value.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// Returns Base64 with `-` and `_` (RFC 4648, 5), without padding.
    static func base64URL(_ data: Data) -> String {
        var text = ""
        for character in data.base64EncodedString().utf8 {
            switch character {
            case UInt8(ascii: "+"): text.append("-")
            case UInt8(ascii: "/"): text.append("_")
            case UInt8(ascii: "="): break
            default: text.unicodeScalars.append(Unicode.Scalar(character))
            }
        }
        return text
    }

    /// Returns two lower-case digits for each byte.
    static func hexadecimal(_ data: Data) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(2 * data.count)
        for byte in data {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
