import SockeyeSerialization
import SockeyeTestSupport

extension JSONValue {
    /// Returns a random value of at most `depth` levels.
    static func random(depth: Int, using generator: inout SplitMix) -> JSONValue {
        let count = Int.random(in: 0...20, using: &generator)
        switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &generator) {
        case 0: return .null
        case 1: return .bool(.random(using: &generator))
        case 2: return JSONValue(Int64.random(in: .min ... .max, using: &generator))
        case 3: return JSONValue(Double(bitPattern: generator.next())) ?? 0
        case 4, 5: return .string(text(count, using: &generator))
        case 6: return .array((0..<count / 3).map { _ in random(depth: depth - 1, using: &generator) })
        default:
            let members = (0..<count).map { number in
                (text(3, using: &generator) + "\(number)", random(depth: depth - 2, using: &generator))
            }
            return .object(JSONValue.Object(members))
        }
    }

    private static func text(_ length: Int, using generator: inout SplitMix) -> String {
        let alphabet: [Unicode.Scalar] = ["a", "Z", "\"", "\\", "/", "\n", "\0", "\u{1F}", "é", "中", "😀", "\u{FFFF}"]
        var text = String.UnicodeScalarView()
        for _ in 0..<length { text.append(alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]) }
        return String(text)
    }
}
