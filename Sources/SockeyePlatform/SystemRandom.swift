import CSockeyeSystem

/// Unpredictable random bytes from the kernel.
package enum SystemRandom {
    /// Fills at most 256 bytes with one system call (getentropy(3)).
    package static func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        precondition(buffer.count <= 256, "getentropy returns at most 256 bytes")
        if unsafe sockeye_random_fill(buffer.baseAddress, buffer.count) { return }
        // An old kernel may lack the call, and a seccomp filter may forbid it. The standard library's generator has
        // other sources, and traps if these fail, too.
        var generator = SystemRandomNumberGenerator()
        for index in buffer.indices { unsafe buffer[index] = UInt8.random(in: .min ... .max, using: &generator) }
    }
}
