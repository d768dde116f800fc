extension Sample {
    /// Cancels requests for some time, and measures the resources left behind, which should be none.
    static func cancellations(_ client: some LoadClient, _ options: ClientOptions) async throws -> Sample {
        let idle = ResourceUsage.current()
        var impatient = options
        impatient.url = options.heldURL
        let storm = try client.retargeted(impatient)
        var plain = try await client.load(Phase(seconds: 60, requests: 1))
        _ = try await storm.giveUp(Phase(seconds: options.warmup))
        let (empty, before) = (try await calm(), ResourceUsage.current())
        let start = MonotonicClock.now
        var tally = try await storm.giveUp(Phase(seconds: options.seconds))
        let seconds = Double(MonotonicClock.now - start) / 1e9
        let after = ResourceUsage.current()
        let left = try await calm() - empty
        plain.merge(try await client.load(Phase(seconds: 60, requests: 1)))
        if plain.requests < 2 { tally.record(error: NoAnswer(reason: plain.firstError)) }
        var sample = Sample(tally, seconds: seconds, from: before, to: after, idle: idle)
        sample.footprint = left
        return sample
    }

    /// Returns the footprint after unused connections are closed: after ``ClientOptions/idleTimeout``, and some more
    /// time for clients that check only occasionally.
    private static func calm() async throws -> Footprint {
        try await Task.sleep(for: .milliseconds(1200))
        return try await Footprint.settled()
    }

    private struct NoAnswer: Error, CustomStringConvertible {
        let reason: String?

        var description: String {
            "a plain request before or after the cancellations failed: \(reason ?? "unknown reason")"
        }
    }
}
