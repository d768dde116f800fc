extension Sample {
    /// Opens all connections at once, leaves them idle, and measures the memory of each.
    ///
    /// The server withholds every response until it has all requests, so that each request has its own connection. A
    /// request before the first measurement makes the client allocate the objects that it needs only once.
    static func idleConnections(_ client: some LoadClient, _ options: ClientOptions) async throws -> Sample {
        let idle = ResourceUsage.current()
        var tally = try await client.load(Phase(seconds: 60, requests: 1))
        let (empty, before) = (try await Footprint.settled(), ResourceUsage.current())
        let start = MonotonicClock.now
        tally.merge(try await openAll(client, options))
        let seconds = Double(MonotonicClock.now - start) / 1e9
        let (full, after) = (try await Footprint.settled(), ResourceUsage.current())
        // The connections must work again, without a new one.
        tally.merge(try await client.load(Phase(seconds: 60, requests: 1)))
        let kept = [full.descriptors, Footprint.current().descriptors].map { $0 - empty.descriptors }
        // One of the connections may be that of the first request.
        if kept.contains(where: { $0 < options.connections - 1 }) { tally.record(error: LostConnections(kept: kept)) }
        var sample = Sample(tally, seconds: seconds, from: before, to: after, idle: idle)
        sample.footprint = full - empty
        return sample
    }

    private static func openAll(_ client: some LoadClient, _ options: ClientOptions) async throws -> Tally {
        var all = options
        all.url = options.heldURL
        all.tasks = options.connections
        return try await client.retargeted(all).load(Phase(seconds: 60, requests: options.connections))
    }

    private struct LostConnections: Error, CustomStringConvertible {
        let kept: [Int]

        var description: String {
            "only \(kept[0]) connections were open after all requests, and \(kept[1]) after one more request"
        }
    }
}
