import SockeyeTestSupport

/// An input. Its last bytes select options of the target; the bytes before them are the tested data, so that a text in
/// the corpus stays readable.
struct FuzzInput {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    /// The bytes that no choice has used.
    var bytes: [UInt8] { Array(rest) }
    var text: String { String(decoding: rest, as: UTF8.self) }

    mutating func choice(below limit: Int) -> Int {
        Int(rest.popLast() ?? 0) % limit
    }

    mutating func flag() -> Bool { choice(below: 2) == 1 }

    /// Takes choices, and cuts the remaining bytes into pieces accordingly: single bytes, or short pieces of several
    /// lengths.
    mutating func pieces() -> [ArraySlice<UInt8>] {
        var random = SplitMix(seed: UInt64(choice(below: 256)))
        let longest = [1, 3, 40, 2000][choice(below: 4)]
        let bytes = self.bytes
        var pieces: [ArraySlice<UInt8>] = []
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + Int.random(in: 1...longest, using: &random))
            pieces.append(bytes[start..<end])
            start = end
        }
        return pieces
    }
}
