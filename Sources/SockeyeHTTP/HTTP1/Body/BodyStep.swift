/// What a decoder found in the bytes it was given. Bytes it consumed are not given again.
package enum BodyStep: Sendable, Hashable {
    /// The bytes in this range are content; everything before its end is consumed. Never empty.
    case data(Range<Int>)
    /// All that was given is consumed, and it was not enough. `consumed` is always the number of bytes given.
    case needMore(consumed: Int)
    /// The body is complete; bytes behind the first `consumed` ones are not part of it.
    case end(consumed: Int)
}
