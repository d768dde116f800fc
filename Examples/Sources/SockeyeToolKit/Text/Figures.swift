/// Formats figures for people, in few characters whatever their size.
package enum Figures {
    /// Formats a number of bytes, such as `0 B`, `999 B`, `1.5 KiB`, `12.0 MiB`.
    package static func bytes(_ count: Int) -> String {
        let units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]
        var value = Double(max(0, count))
        guard value >= 1024 else { return "\(max(0, count)) B" }
        var unit = -1
        while value >= 1023.95, unit < units.count - 1 {
            value /= 1024
            unit += 1
        }
        return "\(fixed(value, 1)) \(units[max(0, unit)])"
    }

    /// Formats a duration, such as `740 µs`, `12.3 ms`, `1.50 s`, `95 s`.
    package static func time(_ duration: Duration) -> String {
        let microseconds = max(0, duration / .microseconds(1))
        switch microseconds {
        case ..<999.5: return "\(Int(microseconds.rounded())) µs"
        case ..<99_950: return "\(fixed(microseconds / 1000, 1)) ms"
        case ..<999_500: return "\(Int((microseconds / 1000).rounded())) ms"
        case ..<9_995_000: return "\(fixed(microseconds / 1_000_000, 2)) s"
        default: return "\(Int((microseconds / 1_000_000).rounded())) s"
        }
    }

    /// Formats a remaining time, such as `42 s`, `3:07`, `1:02:45`.
    package static func wait(_ duration: Duration) -> String {
        let seconds = max(0, duration.components.seconds)
        guard seconds >= 60 else { return "\(seconds) s" }
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        guard seconds >= 3600 else { return "\(seconds / 60):\(two(seconds % 60))" }
        return "\(seconds / 3600):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
    }

    /// Formats a number with a fixed number of digits after the point.
    package static func fixed(_ value: Double, _ digits: Int) -> String {
        var scale = 1.0
        for _ in 0..<digits { scale *= 10 }
        guard value.isFinite, value.magnitude * scale < 1e15 else { return "\(value)" }
        let scaled = Int((value.magnitude * scale).rounded())
        let whole = scaled / Int(scale)
        guard digits > 0 else { return "\(value < 0 ? "-" : "")\(whole)" }
        let rest = String(scaled % Int(scale) + Int(scale)).dropFirst()
        return "\(value < 0 ? "-" : "")\(whole).\(rest)"
    }

    /// Formats a number with commas between its thousands, such as `12,345`.
    package static func count(_ number: Int) -> String {
        var groups: [String] = []
        var rest = number.magnitude
        while rest >= 1000 {
            groups.append(String(String(rest % 1000 + 1000).dropFirst()))
            rest /= 1000
        }
        return (number < 0 ? "-" : "") + ([String(rest)] + groups.reversed()).joined(separator: ",")
    }
}

extension String {
    /// Pads the text with spaces on the left.
    package func right(_ width: Int) -> String {
        String(repeating: " ", count: max(0, width - count)) + self
    }

    /// Pads the text with spaces on the right.
    package func left(_ width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
