/// How a body is slowed down.
enum Throttle: Sendable, Hashable {
    /// Packets of at most `size` bytes with a pause between two of them.
    case packets(size: Int, delay: Duration)
    /// So many bytes in a second.
    case rate(Int)
}
