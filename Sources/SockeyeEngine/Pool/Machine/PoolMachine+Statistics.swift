extension PoolMachine {
    /// A snapshot. O(1), or O(origins) with a description of each.
    ///
    /// - Parameters:
    ///   - describe: the public name of a key, without secrets; without it the snapshot lists no origins.
    package func statistics(describing describe: ((Key) -> String)? = nil) -> PoolStatistics {
        var statistics = counters
        statistics.idle = connections.idleCount
        statistics.leased = connections.leasedCount
        statistics.dialling = dials.count
        statistics.waiting = waiters.count
        guard let describe else { return statistics }
        statistics.origins = origins.all.map { index in
            let record = origins[index]
            return PoolStatistics.Origin(
                name: describe(origins.key(at: index)), idle: record.idleCount, leased: record.leased,
                dialling: record.dialling, waiting: record.waiting)
        }
        return statistics
    }
}
