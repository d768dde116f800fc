import Glibc

/// What C's library does with memory faster than a loop (string(3)).
package enum SystemMemory {
    @inlinable @inline(__always)
    package static func isEqual(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, count: Int) -> Bool {
        unsafe memcmp(left, right, count) == 0
    }
}
