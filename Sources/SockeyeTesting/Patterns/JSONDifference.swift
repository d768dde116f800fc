import SockeyeSerialization

/// The places where two JSON values differ, as up to 12 readable lines. The order of object members is ignored.
///
/// Uses an explicit stack instead of recursion, which could overflow the thread's stack if a value is deeply nested.
enum JSONDifference {
    private static let lineLimit = 12

    static func lines(expected: JSONValue, actual: JSONValue) -> [String] {
        var lines: [String] = []
        var pending = [(path: "", expected: expected, actual: actual)]
        while let (path, expected, actual) = pending.popLast(), lines.count < lineLimit {
            guard expected != actual else { continue }
            switch (expected, actual) {
            case (.object(let one), .object(let other)):
                for key in other.keys where one[key] == nil { lines.append("\(path).\(key): not expected") }
                for (key, value) in one.reversed() {
                    guard let found = other[key] else {
                        lines.append("\(path).\(key): missing")
                        continue
                    }
                    pending.append(("\(path).\(key)", value, found))
                }
            case (.array(let one), .array(let other)) where one.count == other.count:
                for index in one.indices.reversed() { pending.append(("\(path)[\(index)]", one[index], other[index])) }
            default:
                lines.append("\(path.isEmpty ? "the value" : path): \(short(expected)) expected, got \(short(actual))")
            }
        }
        return Array(lines.prefix(lineLimit))
    }

    private static func short(_ value: JSONValue) -> String {
        let text = value.description
        return text.count > 80 ? text.prefix(80) + "…" : text
    }
}
