/// Where a body producer puts its bytes. Returns when the system has taken them, which is the whole of backpressure.
package protocol BodySink: Sendable {
    /// Sends one piece; an empty one is nothing. Throws when the request is over, whoever ended it.
    func write<Chunk: Collection<UInt8> & Sendable>(_ chunk: Chunk) async throws(SockeyeError)
}
