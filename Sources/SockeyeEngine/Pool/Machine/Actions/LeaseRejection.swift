/// Why a request was not even queued.
package enum LeaseRejection: Error, Hashable {
    /// As many requests as `PoolLimits.maxWaiters` allows are held back by the limits already.
    case tooManyWaiters(limit: Int)
    case shutDown
}
