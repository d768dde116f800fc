/// What became of a request that waited for a connection.
enum PoolOutcome: Sendable {
    case lease(ConnectionPool.Lease)
    case failed(SockeyeError)
    case timedOut
    case cancelled
}
