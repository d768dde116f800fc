/// Why ``BlockingWorkers`` did not do some work.
package enum BlockingRefusal: Error, Sendable, Hashable {
    /// The queue is full.
    case overloaded(limit: Int)
    /// The waiting task was cancelled. Work that has begun goes on, and its result is dropped.
    case cancelled
    /// No thread could be started.
    case noThread(errno: Int32)
}
