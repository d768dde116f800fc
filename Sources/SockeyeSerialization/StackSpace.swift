import SockeyePlatform

/// The stack that the current thread has left, for recursion that is not ours to avoid: Foundation's coders call
/// themselves once or thrice a level. glibc's threads have 8 MiB, musl's 128 KiB.
package enum StackSpace {
    /// What a thread is taken to have left where nobody can tell: half of musl's.
    private static let unknown = 64 << 10

    /// The bytes that are left. It takes some system calls, so ask for what is rare.
    static var remaining: Int { SystemThread.stackLeft ?? unknown }

    /// Whether a walk that has come to this depth may go on. For 16 levels it may; then this is looked at every eighth, and
    /// leaves room for eight levels of 4 KiB. Debug builds take 3 KiB for a level of the dearest walk, release builds half.
    package static func allowsWalk(at depth: Int) -> Bool {
        depth < 16 || depth % 8 != 0 || remaining > 40 << 10
    }

    /// - Throws: `DecodingError.dataCorrupted` where a walk with a decoder may not go on.
    static func check(_ decoder: any Decoder) throws {
        let path = decoder.codingPath
        guard allowsWalk(at: path.count) else {
            throw DecodingError.dataCorrupted(.init(codingPath: path, debugDescription: exhausted))
        }
    }

    /// - Throws: `EncodingError.invalidValue` where a walk with an encoder may not go on.
    static func check(_ encoder: any Encoder, _ value: some Encodable) throws {
        let path = encoder.codingPath
        guard allowsWalk(at: path.count) else {
            throw EncodingError.invalidValue(value, .init(codingPath: path, debugDescription: exhausted))
        }
    }

    private static let exhausted = "the value is nested deeper than this thread has stack for"
}
