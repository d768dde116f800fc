import SockeyeCore
public import SockeyeEngine
import Synchronization

extension OutgoingRequest.Body {
    /// AFNetworking's `kAFUploadStream3GSuggestedPacketSize`: 16 KiB.
    public static let suggestedPacketSize = 16 << 10
    /// AFNetworking's `kAFUploadStream3GSuggestedDelay`: 0.2 seconds.
    public static let suggestedPacketDelay = Duration.milliseconds(200)

    /// Returns the same body, sent in packets with pauses in between. The client's clock measures the pauses. Use this
    /// method for slow connections on which large uploads would otherwise fail.
    ///
    /// Length, replayability and trailers are unchanged. A pause counts toward the total deadline of the request, and
    /// ends when the task is cancelled.
    ///
    /// - Parameters:
    ///   - packetSize: The maximum number of bytes between two pauses; at least 1.
    ///   - delay: The pause between two packets.
    public func throttled(
        packetSize: Int = suggestedPacketSize, delay: Duration = suggestedPacketDelay
    ) -> OutgoingRequest.Body {
        throttled(.packets(size: packetSize, delay: delay))
    }

    /// Returns the same body, with its average rate limited to `rate`. The client's clock measures the rate.
    ///
    /// A packet has the bytes that this rate allows in 20 ms, at most 256 KiB. If a busy machine or peer delays a
    /// packet, the following packets are sent faster until the average rate is reached again. At most one second of
    /// delay is made up for, so that a peer that stopped reading for long is not flooded. In all other respects, this
    /// method is like ``throttled(packetSize:delay:)``.
    ///
    /// - Parameter rate: The maximum number of content bytes per second; at least 1.
    public func throttled(bytesPerSecond rate: Int) -> OutgoingRequest.Body {
        throttled(.rate(rate))
    }

    func throttled(_ throttle: Throttle) -> OutgoingRequest.Body {
        passing { sink in ThrottledSink(target: sink, throttle) }
    }
}

/// A body sink that forwards writes at the pace of a ``RateLimiter``.
final class ThrottledSink: BodySink {
    private let target: any BodySink
    private let limiter: Mutex<RateLimiter>

    init(target: any BodySink, _ throttle: Throttle) {
        self.target = target
        limiter = Mutex(RateLimiter(throttle))
    }

    var time: TimeSource { target.time }

    func pause(until deadline: MonotonicTime) async throws(SockeyeError) {
        try await target.pause(until: deadline)
    }

    func write<Chunk: Collection<UInt8> & Sendable>(_ chunk: Chunk) async throws(SockeyeError) {
        let bytes = (chunk as? Bytes) ?? Bytes(chunk)
        var sent = 0
        while sent < bytes.count {
            let count = min(try await allowance(), bytes.count - sent)
            let start = time.now
            try await target.write(bytes.slice(sent..<sent + count))
            note(count, since: start)
            sent += count
        }
    }

    func write(_ count: Int, of file: inout FileReader) async throws(SockeyeError) {
        var left = count
        while left > 0 {
            let count = min(try await allowance(), left)
            let start = time.now
            try await target.write(count, of: &file)
            note(count, since: start)
            left -= count
        }
    }

    /// Waits until bytes may be sent. Returns the maximum number of bytes to send.
    private func allowance() async throws(SockeyeError) -> Int {
        while true {
            let now = time.now
            switch limiter.withLock({ $0.next(at: now) }) {
            case .send(let count): return count
            case .wait(let deadline): try await pause(until: deadline)
            }
        }
    }

    private func note(_ count: Int, since start: MonotonicTime) {
        let now = time.now
        limiter.withLock { $0.sent(count, from: start, to: now) }
    }
}
