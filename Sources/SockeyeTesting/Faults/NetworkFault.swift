extension FaultProxy {
    /// One thing that goes wrong with the bytes of a direction. Positions count from the connection's first byte in it.
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

        /// Holds back each piece that is read for this long, give or take `jitter`. What comes meanwhile waits behind it.
        public static func latency(_ latency: Duration, jitter: Duration = .zero) -> Fault {
            Fault(.latency(latency, jitter: jitter))
        }

        /// Passes on no more than so many bytes a second, in steps of a twentieth of one.
        public static func bandwidth(bytesPerSecond: Int) -> Fault { Fault(.bandwidth(max(1, bytesPerSecond))) }

        /// Passes on pieces of at most `size` bytes, each in a packet of its own, with a pause in between.
        public static func slices(of size: Int = 1, pause: Duration = .zero) -> Fault {
            Fault(.slices(max(1, size), pause: pause))
        }

        /// Closes the connection in good order when so many bytes have passed.
        public static func cut(after bytes: Int) -> Fault { Fault(.cut(max(0, bytes))) }

        /// Resets the connection when so many bytes have passed; 0 is: instead of the first.
        public static func reset(after bytes: Int = 0) -> Fault { Fault(.reset(max(0, bytes))) }

        /// A black hole: behind so many bytes nothing passes any more, and nobody is told. It lasts for the connection.
        public static func silence(after bytes: Int = 0) -> Fault { Fault(.silence(max(0, bytes))) }

        /// Puts `count` random bytes, at most 1 MiB, in behind so many bytes, once for each connection.
        public static func garbage(after bytes: Int = 0, count: Int = 64) -> Fault {
            Fault(.garbage(max(0, bytes), count: min(max(1, count), 1 << 20)))
        }

        /// Flips all bits of the byte at this position, from 0.
        public static func flip(at position: Int) -> Fault { Fault(.flip(max(0, position))) }

        /// Passes on the end of the direction this much later.
        public static func slowClose(_ delay: Duration) -> Fault { Fault(.slowClose(delay)) }

        /// The same for this share of connections, 0 to 1, chosen with the proxy's seed.
        public func inShare(_ probability: Double) -> Fault {
            var copy = self
            copy.probability = min(1, max(0, probability))
            return copy
        }
    }
}
