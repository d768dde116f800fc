extension Sample {
    /// All connections at once, then nothing: what each of them holds.
    ///
    /// The server holds every answer back until it has all requests, so that there is one connection for each. What a
    /// client makes once, for its first connection, is there before the first look.
    static func idleConnections(_ client: some LoadClient, _ options: ClientOptions) async throws -> Sample {
        let idle = ResourceUsage.current()
        var tally = try await client.load(Phase(seconds: 60, requests: 1))
        let (empty, before) = (try await Footprint.settled(), ResourceUsage.current())
        let start = MonotonicClock.now
        tally.merge(try await openAll(client, options))
        let seconds = Double(MonotonicClock.now - start) / 1e9
        let (full, after) = (try await Footprint.settled(), ResourceUsage.current())
        // They must serve again, and none may have been opened for that.
        tally.merge(try await client.load(Phase(seconds: 60, requests: 1)))
        let kept = [full.descriptors, Footprint.current().descriptors].map { $0 - empty.descriptors }
        // The first request may have left one that is among them.
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

        var description: String { "\(kept[0]) connections stayed open, and \(kept[1]) after one more request" }
    }
}
