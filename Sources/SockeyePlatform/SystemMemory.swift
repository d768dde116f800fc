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

    #if arch(x86_64)
    /// The index of the first of 16 bytes that is a control byte (CTL, so HTAB and DEL as well); 16 where none is.
    @inlinable @inline(__always)
    package static func firstControl(inBlock block: UnsafeRawPointer) -> Int { unsafe sockeye_first_control(block) }

    /// The index of the first of 16 bytes that is no letter, digit or hyphen; 16 where all are.
    @inlinable @inline(__always)
    package static func firstUnusualInNames(inBlock block: UnsafeRawPointer) -> Int {
        unsafe sockeye_first_unusual_in_names(block)
    }
    #endif

    /// The bytes that malloc(3) has handed out and not got back, in all arenas and mapped blocks (mallinfo2(3)).
    package static var allocatedBytes: Int {
        let info = mallinfo2()
        return Int(info.uordblks) + Int(info.hblkhd)
    }
}
