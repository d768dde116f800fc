/// Bounds for numbers that a peer, a proxy, a resolver or a file supplies: lengths, sizes, positions, ages, delays.
///
/// A length above ``largest`` is refused where it is parsed. A sum of two accepted lengths may still overflow, so sums
/// use ``Swift/FixedWidthInteger/addingSaturated(_:)`` or the standard library's overflow-reporting operations.
package enum PeerNumber {
    /// The largest accepted length: 2^62. No resource is that large, and adding a buffer's size to it does not
    /// overflow.
    package static let largest = 1 << 62

    /// The number, or nil if it is negative or larger than ``largest``.
    @inlinable
    package static func length(_ number: some BinaryInteger) -> Int? {
        guard let length = Int(exactly: number), 0...largest ~= length else { return nil }
        return length
    }
}
