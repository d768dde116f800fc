extension Sample {
    /// Measures one request, from the start of the process to the checked response.
    static func firstRequest(_ client: some LoadClient) async throws -> Sample {
        let tally = try await client.load(Phase(seconds: 60, requests: 1))
        let end = MonotonicClock.now
        let usage = ResourceUsage.current()
        let launch = try Launch.current()
        let seconds = Double(end - launch.start) / 1e9
        return Sample(
            requests: tally.requests, bytes: tally.bytes, seconds: seconds, user: usage.user - launch.user,
            system: usage.system - launch.system, instructions: usage.instructions, p50: seconds * 1e6,
            p99: seconds * 1e6, p999: seconds * 1e6, idleKiB: 0, peakKiB: usage.peakKiB, errors: tally.errors,
            firstError: tally.firstError)
    }
}
