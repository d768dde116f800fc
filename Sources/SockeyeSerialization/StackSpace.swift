import SockeyePlatform

/// Measures the remaining stack of the current thread, in order to limit recursion that Sockeye cannot avoid:
/// Foundation's coders recurse one to three times per level of nesting. By default, a thread has a stack of 8 MiB with
/// glibc, and of 128 KiB with musl.
package enum StackSpace {
    /// The assumed remaining stack in bytes if the system cannot tell: half of a musl thread's stack.
    private static let unknown = 64 << 10

    /// The remaining stack in bytes. Reading it takes some system calls, so it is meant for rare checks.
    static var remaining: Int { SystemThread.stackLeft ?? unknown }

    /// Returns true if a recursive walk at this depth may continue.
    ///
    /// Always true for the first 16 levels. Of the deeper levels, only every eighth is checked. At a checked level,
    /// more than 40 KiB of stack must remain: 4 KiB for each level up to the next check, and a reserve of 8 KiB. The
    /// most expensive walk takes 3 KiB per level in debug builds, and half of that in release builds.
    package static func allowsWalk(at depth: Int) -> Bool {
        depth < 16 || depth % 8 != 0 || remaining > 40 << 10
    }

    /// - Throws: `DecodingError.dataCorrupted` if a walk with a decoder must not continue at this depth.
    static func check(_ decoder: any Decoder, at depth: Int) throws {
        guard allowsWalk(at: depth) else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: exhausted))
        }
    }

    /// - Throws: `EncodingError.invalidValue` if a walk with an encoder must not continue at this depth.
    static func check(_ encoder: any Encoder, _ value: some Encodable, at depth: Int) throws {
        guard allowsWalk(at: depth) else {
            throw EncodingError.invalidValue(
                value, .init(codingPath: encoder.codingPath, debugDescription: exhausted))
        }
    }

    private static let exhausted = "the value is nested deeper than the stack of this thread allows"
}
