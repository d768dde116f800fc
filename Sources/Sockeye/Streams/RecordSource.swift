import SockeyeEngine
import SockeyeHTTP

/// The chunks of a body that is split into records, such as lines: up to its end or to the first fault.
struct RecordSource {
    let response: IncomingResponse
    private var chunks: IncomingResponse.Body.Iterator
    private(set) var isOver = false
    /// Why the content cannot be decoded; thrown by the first read.
    private let fault: SockeyeError?

    init(_ body: IncomingResponse.Body) {
        response = IncomingResponse(body.storage)
        do throws(SockeyeError) {
            try response.undoCodings(.default)
            fault = nil
        } catch {
            fault = error
        }
        chunks = body.makeAsyncIterator()
    }

    /// The next chunk, or nil at the end.
    mutating func next() async throws(SockeyeError) -> Bytes? {
        if let fault { throw fail(fault) }
        let chunk = try await chunks.next(isolation: #isolation)
        isOver = chunk == nil
        return chunk
    }

    /// Ends a turn of a reader whose peer always has more to send.
    func letOthersRun() async throws(SockeyeError) {
        if Task.isCancelled { throw response.cancellation }
        await Task.yield()
    }

    /// Gives up the rest of the body, which is of no use any more, and with it the connection.
    mutating func fail(_ error: SockeyeError) -> SockeyeError {
        isOver = true
        response.discard()
        return error.about(response.head.request)
    }
}
