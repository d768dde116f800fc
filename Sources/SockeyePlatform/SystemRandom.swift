import Glibc

/// Randomness that nobody can foresee, from the kernel.
package enum SystemRandom {
    /// Fills at most 256 bytes by one system call (getentropy(3)).
    package static func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        precondition(buffer.count <= 256, "getentropy gives 256 bytes at most")
        if unsafe getentropy(buffer.baseAddress, buffer.count) == 0 { return }
        // An old kernel or a seccomp filter without the call; the standard library's has other sources, and traps without.
        var generator = SystemRandomNumberGenerator()
        for index in buffer.indices { unsafe buffer[index] = UInt8.random(in: .min ... .max, using: &generator) }
    }
}
