/// Formats numbers for people.
enum NumberText {
    /// Formats a whole number with commas, such as `12,345`.
    static func grouped(_ number: Double) -> String {
        let digits = Array(String(Int(number.rounded())))
        return digits.indices.map { index in
            let isFirstOfGroup = index > 0 && (digits.count - index).isMultiple(of: 3)
            return (isFirstOfGroup ? "," : "") + String(digits[index])
        }.joined()
    }

    /// Formats a number as text with at least three digits, such as `0.120`, `12.0` and `1234`.
    static func significant(_ number: Double) -> String {
        switch number {
        case ..<0.9995: fixed(number, decimals: 3)
        case ..<9.995: fixed(number, decimals: 2)
        case ..<99.95: fixed(number, decimals: 1)
        default: String(Int(number.rounded()))
        }
    }

    private static func fixed(_ number: Double, decimals: Int) -> String {
        let scale = [1, 10, 100, 1000][decimals]
        let scaled = Int((number * Double(scale)).rounded())
        // Adding `scale` gives a leading 1, which keeps the zeros after the decimal point.
        return "\(scaled / scale).\(String(scaled % scale + scale).dropFirst())"
    }

    /// Formats seconds, such as `0.5 s` and `5 s`.
    static func seconds(_ seconds: Double) -> String {
        seconds == seconds.rounded() ? "\(Int(seconds)) s" : "\(seconds) s"
    }

    /// Formats a number of connections, such as `1 connection`.
    static func connections(_ count: Int) -> String { count == 1 ? "1 connection" : "\(count) connections" }

    /// Formats a duration in microseconds, milliseconds or seconds.
    static func duration(microseconds: Double) -> String {
        switch microseconds {
        case ..<999.5: "\(significant(microseconds)) µs"
        case ..<999_500: "\(significant(microseconds / 1e3)) ms"
        default: "\(significant(microseconds / 1e6)) s"
        }
    }

    /// Formats a size in bytes, KiB or MiB.
    static func size(_ bytes: Int) -> String {
        switch bytes {
        case ..<1024: "\(bytes) B"
        case ..<(1 << 20): "\(significant(Double(bytes) / 1024)) KiB"
        default: "\(significant(Double(bytes) / 1_048_576)) MiB"
        }
    }
}
