public import SockeyeEngine

extension OutgoingRequest.Body {
    /// AFNetworking's `kAFUploadStream3GSuggestedPacketSize`: 16 KiB.
    public static let suggestedPacketSize = 16 << 10
    /// AFNetworking's `kAFUploadStream3GSuggestedDelay`: 0.2 seconds.
    public static let suggestedPacketDelay = Duration.milliseconds(200)

    /// The same body, sent in packets with a pause between two of them, on the clock of the client: for lines on which large
    /// uploads fail otherwise.
    ///
    /// Length, replay and trailers stay what they are. A pause counts toward the total deadline of the request, and ends when
    /// the task is cancelled.
    ///
    /// - Parameters:
    ///   - packetSize: The most bytes between two pauses; at least 1.
    ///   - delay: The pause.
    public func throttled(
        packetSize: Int = suggestedPacketSize, delay: Duration = suggestedPacketDelay
    ) -> OutgoingRequest.Body {
        throttled(.packets(size: packetSize, delay: delay))
    }

    /// The same body, sent at most at this rate, on the clock of the client.
    ///
    /// It goes out in packets of 20 ms, at most 256 KiB each. Up to a second that was lost is made up for: so the rate is
    /// kept on a busy machine, and a peer that stops for long is not flooded afterwards. Everything else is as with
    /// ``throttled(packetSize:delay:)``.
    ///
    /// - Parameter rate: Bytes of content per second; at least 1.
    public func throttled(bytesPerSecond rate: Int) -> OutgoingRequest.Body {
        throttled(.rate(rate))
    }

    func throttled(_ throttle: Throttle) -> OutgoingRequest.Body {
        passing { sink in ThrottledSink(target: sink, throttle) }
    }
}
