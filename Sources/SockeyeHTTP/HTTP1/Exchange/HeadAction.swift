/// What to do about a response head.
package enum HeadAction: Sendable, Hashable {
    /// An interim response: show it to whoever asked for such, and read the next head.
    case interim(status: Int)
    /// 100 without effect, because nobody waits for it: read the next head.
    case keepReading
    /// 100 for a body that is being held: start sending it, and read the next head.
    case sendBody
    /// The answer. Deliver it and read its body; `stopsUpload` says to send no more of the request.
    case final(BodyFraming, stopsUpload: Bool)
    /// 417 to an expectation: send no more. Repeat the request without Expect on another connection if the body can be
    /// sent again (always so while ``ExchangeMachine/hasSentBody`` is false), else deliver this as the answer.
    case expectationFailed(BodyFraming)
    /// 101 that was asked for: the bytes behind the head belong to the other protocol.
    case switchProtocols
    /// 2xx to CONNECT: the bytes behind the head belong to the tunnel.
    case tunnel
}
