package import SockeyeCore

extension Bytes {
    /// Repeats `unit` up to `count` bytes; the last repetition may be incomplete.
    ///
    /// Copies blocks of doubling size, because a debug build takes a second for a megabyte that is made byte by byte.
    package init(repeating unit: [UInt8], count: Int) {
        precondition(!unit.isEmpty, "nothing to repeat")
        unsafe self.init(count: count) { buffer in
            var filled = Swift.min(unit.count, count)
            unsafe unit.withUnsafeBytes { bytes in
                unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<filled]))
            }
            while filled < count {
                let copied = Swift.min(filled, count - filled)
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
                unsafe rest.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[..<copied]))
                filled += copied
            }
        }
    }
}
