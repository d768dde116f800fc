import CSockeyeSystem

/// C functions that compare and search memory faster than a loop over the bytes, and the number of allocated bytes.
@usableFromInline package enum SystemMemory {
    @inlinable @inline(__always)
    package static func isEqual(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, count: Int) -> Bool {
        unsafe sockeye_memory_is_equal(left, right, count)
    }

    /// Returns the first offset of `byte` from `start` up to but excluding `end` (memchr(3)); nil if it does not occur.
    @inlinable @inline(__always)
    package static func offset(of byte: UInt8, in base: UnsafeRawPointer, from start: Int, to end: Int) -> Int? {
        guard let found = unsafe sockeye_memory_find(base + start, byte, end &- start) else { return nil }
        return unsafe found - base
    }

    #if arch(x86_64) || arch(arm64)
    /// Returns the index of the first control byte (CTL, including HTAB and DEL) of 16 bytes; 16 if there is no such
    /// byte.
    @inlinable @inline(__always)
    package static func firstControl(inBlock block: UnsafeRawPointer) -> Int { unsafe sockeye_first_control(block) }

    /// Returns the index of the first of 16 bytes that is not a letter, digit or hyphen; 16 if all are.
    @inlinable @inline(__always)
    package static func firstUnusualInNames(inBlock block: UnsafeRawPointer) -> Int {
        unsafe sockeye_first_unusual_in_names(block)
    }
    #endif

    /// The number of bytes that malloc(3) has allocated and that are not freed; 0 if unknown.
    package static var allocatedBytes: Int { sockeye_allocated_bytes() }
}
