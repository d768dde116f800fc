/// Formats a duration with a suitable unit.
func format(_ duration: Duration) -> String {
    let seconds = duration / .seconds(1)
    return switch seconds {
    case ..<0.001: "\(decimals(seconds * 1e6, 0)) µs"
    case ..<1: "\(decimals(seconds * 1e3, 1)) ms"
    default: "\(decimals(seconds, 2)) s"
    }
}

/// Formats a number of bytes with a suitable binary unit.
func size(_ bytes: Int) -> String {
    let units = ["B", "KiB", "MiB", "GiB"]
    var value = Double(bytes)
    var unit = 0
    while value >= 1024, unit < units.count - 1 {
        value /= 1024
        unit += 1
    }
    return "\(decimals(value, value == value.rounded() ? 0 : value < 10 ? 2 : 1)) \(units[unit])"
}

/// Formats the rate of a number of bytes in a time, in units per second.
func rate(_ bytes: Int, in time: Duration) -> String {
    "\(size(Int(Double(bytes) / (time / .seconds(1)))))/s"
}

/// Formats a number with commas between its thousands.
func grouped(_ number: Int) -> String {
    let digits = String(number)
    return String(
        digits.enumerated().flatMap { index, digit in
            index > 0 && (digits.count - index) % 3 == 0 ? [",", digit] : [digit]
        })
}

private func decimals(_ value: Double, _ count: Int) -> String {
    let scale = (0..<count).reduce(1.0) { scale, _ in scale * 10 }
    let scaled = Int((value * scale).rounded())
    guard count > 0 else { return "\(scaled)" }
    let fraction = String(scaled % Int(scale))
    return "\(scaled / Int(scale)).\(String(repeating: "0", count: count - fraction.count))\(fraction)"
}
