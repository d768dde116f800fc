import SockeyeCore
import SockeyeEngine

/// Where the bytes of a multipart body come from. One task at a time.
protocol PartInput: Sendable {
    /// The next non-empty piece; nil at the end.
    func next() async throws(SockeyeError) -> Bytes?
}

/// The body of a response. An actor, since the iterator of a sequence cannot be sent.
actor ResponseBodyInput: PartInput {
    private let iterator: IncomingResponse.Body.Iterator

    init(_ body: IncomingResponse.Body) {
        iterator = body.makeAsyncIterator()
    }

    func next() async throws(SockeyeError) -> Bytes? {
        // It is only a reference to the one pass.
        var iterator = iterator
        return try await iterator.next(isolation: self)
    }
}
