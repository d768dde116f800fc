import SockeyeEngine
import SockeyeHTTP

/// The chunks of a body that is split into records, such as lines. The chunks end with the body, or at the first error.
struct RecordSource {
    let response: IncomingResponse
    private var chunks: IncomingResponse.Body.Iterator
    private(set) var isOver = false
    /// The reason why the content coding cannot be undone, thrown by each read; nil if it can be undone.
    private let fault: SockeyeError?

    init(_ body: IncomingResponse.Body) {
        response = IncomingResponse(body.storage)
        do throws(SockeyeError) {
            try response.undoCodings()
            fault = nil
        } catch {
            fault = error
        }
        chunks = body.makeAsyncIterator()
    }

    /// Returns the next chunk, or nil at the end.
    mutating func next() async throws(SockeyeError) -> Bytes? {
        if let fault { throw fail(fault) }
        // If the read throws, `isOver` stays true, so that there is no next read. A next read would find the end of the
        // body, and an incomplete record would be returned as the last record.
        isOver = true
        let chunk = try await chunks.next(isolation: #isolation)
        isOver = chunk == nil
        return chunk
    }

    /// Lets other tasks run, or throws if the task was cancelled. Without this call, the task would keep its thread as
    /// long as a fast peer has more data available.
    mutating func yieldTurn() async throws(SockeyeError) {
        if Task.isCancelled { throw fail(response.cancellation) }
        await Task.yield()
    }

    /// Discards the rest of the body, and returns the error with the request added to it.
    mutating func fail(_ error: SockeyeError) -> SockeyeError {
        isOver = true
        response.discard()
        return error.about(response.head.request)
    }
}
