extension JSONValue {
    /// A JSON number with all its digits.
    ///
    /// A number is never rounded, does not overflow, and is written as it was read: `0.10`, `1e400`, `-0`. Two numbers
    /// are equal if their values are equal: `1`, `1.0` and `10e-1`.
    public struct Number: Sendable {
        enum Storage: Sendable {
            case signed(Int64)
            case unsigned(UInt64)
            /// Any other number, as JSON text (RFC 8259, 6).
            case digits(String)
        }

        let storage: Storage

        init(_ storage: Storage) {
            self.storage = storage
        }

        /// Creates a number from an integer of any size, without rounding.
        public init(_ value: some BinaryInteger) {
            if let signed = Int64(exactly: value) {
                storage = .signed(signed)
            } else if let unsigned = UInt64(exactly: value) {
                storage = .unsigned(unsigned)
            } else {
                storage = .digits(value.description)
            }
        }

        /// Creates a number with as many digits as are needed to read `value` back; nil for infinities and NaN.
        public init?(_ value: Double) {
            guard value.isFinite else { return nil }
            if let integer = Int64(exactly: value), value.magnitude < 0x1p53, value != 0 || value.sign == .plus {
                // Like JSONEncoder: 5, not 5.0.
                storage = .signed(integer)
            } else {
                storage = .digits(value == 0 ? "-0" : value.description)
            }
        }

        /// Returns the number as an integer of any type; nil if the type does not hold it exactly. `1.0` and `1e2` are
        /// integers.
        public func integer<Value: FixedWidthInteger>(as type: Value.Type = Value.self) -> Value? {
            switch storage {
            case .signed(let value): Value(exactly: value)
            case .unsigned(let value): Value(exactly: value)
            case .digits(let text): DecimalValue(text).integer()
            }
        }

        /// The nearest `Double`; nil if the number is outside the finite range of `Double`.
        public var double: Double? {
            switch storage {
            case .signed(let value): return Double(value)
            case .unsigned(let value): return Double(value)
            case .digits(let text):
                guard let value = Double(text), value.isFinite else { return nil }
                return value
            }
        }
    }
}

extension JSONValue.Number: Hashable {
    /// Returns true if both have the same value, even if they are written differently.
    public static func == (left: JSONValue.Number, right: JSONValue.Number) -> Bool {
        switch (left.storage, right.storage) {
        case (.signed(let left), .signed(let right)): left == right
        case (.unsigned(let left), .unsigned(let right)): left == right
        // A value is stored as `unsigned` only if it exceeds `Int64.max`.
        case (.signed, .unsigned), (.unsigned, .signed): false
        case (.digits, _), (_, .digits): DecimalValue(left.description) == DecimalValue(right.description)
        }
    }

    /// Feeds the value to the hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(DecimalValue(description))
    }
}

extension JSONValue.Number: ExpressibleByIntegerLiteral {
    /// An integer.
    public init(integerLiteral value: Int64) {
        self.init(value)
    }
}

extension JSONValue.Number: CustomStringConvertible {
    /// The number as JSON text.
    public var description: String {
        switch storage {
        case .signed(let value): value.description
        case .unsigned(let value): value.description
        case .digits(let text): text
        }
    }
}

/// The normal form of a decimal number, `digits` · 10^`exponent`. Numbers of equal value have the same normal form,
/// unless their exponents are outside the range of `Int`; see ``remoteExponent``.
struct DecimalValue: Hashable {
    private let isNegative: Bool
    /// ASCII digits without zeros at either end; empty for zero.
    private let digits: [UInt8]
    /// The exponent of the normal form. If ``remoteExponent`` is not empty, this is only the part of the exponent that
    /// results from the decimal point and trailing zeros.
    private let exponent: Int
    /// The exponent as spelled in the text, if it or the exponent of the normal form is outside the range of `Int`.
    /// Empty for all other numbers, and for zero. Two numbers with such exponents are equal only if their exponents are
    /// spelled alike.
    private let remoteExponent: String

    /// - Parameter text: A number in JSON syntax (RFC 8259, 6).
    init(_ text: String) {
        let parts = text.utf8.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 | 0x20 == UInt8(ascii: "e") }
        let mantissa = parts[0]
        let fraction = mantissa.firstIndex(of: UInt8(ascii: ".")).map { mantissa[$0...].count - 1 } ?? 0
        let all = mantissa.filter { $0 >= UInt8(ascii: "0") }
        let trailing = all.reversed().prefix { $0 == UInt8(ascii: "0") }.count
        let significant = Array(all.dropLast(trailing).drop { $0 == UInt8(ascii: "0") })
        let written = parts.count > 1 ? String(Substring(parts[1])) : "0"
        let (sum, overflow) = (Int(written) ?? 0).addingReportingOverflow(trailing - fraction)
        digits = significant
        isNegative = text.utf8.first == UInt8(ascii: "-") && !significant.isEmpty
        let isRemote = Int(written) == nil || overflow
        exponent = significant.isEmpty ? 0 : isRemote ? trailing - fraction : sum
        remoteExponent = isRemote && !significant.isEmpty ? written : ""
    }

    /// Returns the value as an integer; nil if the value is not an integer, or if the type does not hold it.
    func integer<Value: FixedWidthInteger>() -> Value? {
        guard !digits.isEmpty else { return 0 }
        // The largest standard integers, of 128 bits, have fewer than 40 digits.
        guard remoteExponent.isEmpty, exponent >= 0, exponent < 40, digits.count + exponent <= 40 else { return nil }
        let zeros = String(repeating: "0", count: exponent)
        return Value((isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self) + zeros)
    }
}
