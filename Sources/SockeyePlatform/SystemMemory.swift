import CSockeyeSystem
import Glibc

/// What C's library does with memory faster than a loop (string(3)), and what it knows of the heap.
@usableFromInline package enum SystemMemory {
    @inlinable @inline(__always)
    package static func isEqual(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, count: Int) -> Bool {
        unsafe memcmp(left, right, count) == 0
    }

    /// The first of such bytes at the offsets from `start` up to `end` (memchr(3)); nil where there is none.
    @inlinable @inline(__always)
    package static func offset(of byte: UInt8, in base: UnsafeRawPointer, from start: Int, to end: Int) -> Int? {
        guard let found = unsafe memchr(base + start, Int32(byte), end &- start) else { return nil }
        return unsafe UnsafeRawPointer(found) - base
    }

    /// The bytes that malloc(3) has handed out and not got back, in all arenas and mapped blocks (mallinfo2(3)).
    package static var allocatedBytes: Int {
        let info = mallinfo2()
        return Int(info.uordblks) + Int(info.hblkhd)
    }
}
