/// What a non-blocking read or write did.
package enum Transfer: Sendable {
    /// This many bytes were moved.
    case bytes(Int)
    /// The peer ended its direction in an orderly way. Reads only.
    case end
    /// Nothing can be done until this readiness. Not always the own direction: TLS may have to write in order to read.
    case wouldBlock(Interest)
    case failed(TransportError)
}
