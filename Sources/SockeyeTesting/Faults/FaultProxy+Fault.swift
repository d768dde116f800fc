extension FaultProxy {
    /// A fault of one direction of a connection. Byte positions count from the first byte of that direction.
    public struct Fault: Sendable, Hashable {
        enum Kind: Sendable, Hashable {
            case latency(Duration, jitter: Duration)
            case bandwidth(Int)
            case slices(Int, pause: Duration)
            case cut(Int)
            case reset(Int)
            case silence(Int)
            case garbage(Int, count: Int)
            case flip(Int)
            case slowClose(Duration)
        }

        let kind: Kind
        private(set) var probability = 1.0

        private init(_ kind: Kind) {
            self.kind = kind
        }

        /// Delays the bytes of each read by `latency`, plus or minus up to `jitter`. Bytes that arrive during a delay
        /// are read after the delay.
        public static func latency(_ latency: Duration, jitter: Duration = .zero) -> Fault {
            Fault(.latency(latency, jitter: jitter))
        }

        /// Limits the throughput to this many bytes per second. If bytes arrive faster, the proxy passes them on in
        /// about 20 pieces per second.
        public static func bandwidth(bytesPerSecond: Int) -> Fault { Fault(.bandwidth(max(1, bytesPerSecond))) }

        /// Passes on pieces of at most `size` bytes, each in a separate packet, with `pause` between them.
        public static func slices(of size: Int = 1, pause: Duration = .zero) -> Fault {
            Fault(.slices(max(1, size), pause: pause))
        }

        /// After this many bytes, closes the connection without a reset. If one of the proxy's two sockets still has
        /// unread input, the kernel resets that socket's connection instead.
        public static func cut(after bytes: Int) -> Fault { Fault(.cut(max(0, bytes))) }

        /// Resets the connection after this many bytes; 0 resets it instead of passing on the first byte.
        public static func reset(after bytes: Int = 0) -> Fault { Fault(.reset(max(0, bytes))) }

        /// Drops all bytes after this many, without closing the connection (a black hole). The direction stays silent
        /// until the connection ends, even if this fault is removed from the proxy.
        public static func silence(after bytes: Int = 0) -> Fault { Fault(.silence(max(0, bytes))) }

        /// Inserts `count` random bytes after the first `bytes` bytes, once per connection. At most 1 MiB is inserted.
        public static func garbage(after bytes: Int = 0, count: Int = 64) -> Fault {
            Fault(.garbage(max(0, bytes), count: min(max(1, count), 1 << 20)))
        }

        /// Inverts all bits of the byte at this position, counted from 0.
        public static func flip(at position: Int) -> Fault { Fault(.flip(max(0, position))) }

        /// Waits for `delay` before passing on the sender's FIN.
        public static func slowClose(_ delay: Duration) -> Fault { Fault(.slowClose(delay)) }

        /// Returns this fault with a probability, from 0 to 1. For each connection the proxy decides once, by random
        /// numbers from its seed, whether the fault applies.
        public func inShare(_ probability: Double) -> Fault {
            var copy = self
            copy.probability = min(1, max(0, probability))
            return copy
        }
    }
}
