/// A small seeded generator of deviations (SplitMix64): the spread matters, secrecy does not.
struct JitterGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    /// From -1 up to 1, evenly spread.
    mutating func next() -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        mixed ^= mixed >> 31
        return Double(mixed >> 11) * 0x1p-52 - 1
    }
}
