internal import Foundation

/// The format of a figure.
package enum NumberStyle: String, Codable, Sendable {
    /// Three significant digits, or all digits before the point.
    case significant
    /// Without decimals.
    case whole

    /// Returns the value as text with commas between thousands; a dash for nil.
    package func text(_ value: Double?) -> String {
        guard let value, value.isFinite else { return "–" }
        let magnitude = abs(Self.rounded(value, digits: 3))
        let decimals = self == .whole || magnitude >= 100 ? 0 : magnitude >= 10 ? 1 : magnitude >= 1 ? 2 : 3
        return Self.grouped(
            String(format: "%.\(decimals)f", magnitude >= 1000 ? value : Self.rounded(value, digits: 3)))
    }

    /// Returns the value rounded to `digits` significant digits.
    package static func rounded(_ value: Double, digits: Int) -> Double {
        Double(String(format: "%.\(digits)g", value)) ?? value
    }

    /// Inserts commas into the digits before the point.
    private static func grouped(_ text: String) -> String {
        let isNegative = text.hasPrefix("-")
        let parts = text.drop { $0 == "-" }.split(separator: ".", maxSplits: 1)
        let digits = Array(parts.first ?? "")
        let pieces = digits.indices.map { index in
            String(digits[index]) + ((digits.count - index) % 3 == 1 && index < digits.count - 1 ? "," : "")
        }
        return (isNegative ? "-" : "") + pieces.joined() + (parts.count > 1 ? "." + parts[1] : "")
    }
}
