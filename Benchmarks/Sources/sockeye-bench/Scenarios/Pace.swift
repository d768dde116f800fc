/// How long a run takes its time.
struct Pace {
    /// How often each client does each scenario.
    var rounds: Int
    /// Seconds of measured and of uncounted requests, each time.
    var seconds: Double
    var warmup: Double
    /// Measured transfers, each time, where a scenario is about bytes: at most so many, and none begins after so long.
    var transfers: Int
    var transferSeconds: Double
    /// Whether allocations are counted, in a pass of their own.
    var countsAllocations: Bool
    /// How much longer the run may take to wait for a machine that is disturbed, as a fraction of what is planned.
    var waiting: Double

    /// The waiting of a run that may take its time. With a half of what is planned, five in six ratios have enough
    /// undisturbed rounds on a machine that is slow half of the time, for half a minute at once; with a quarter, three in four.
    static let patience = 0.5

    static let full = Pace(
        rounds: 7, seconds: 2, warmup: 0.5, transfers: 8, transferSeconds: 4, countsAllocations: true,
        waiting: patience)
    static let quick = Pace(
        rounds: 3, seconds: 0.5, warmup: 0.2, transfers: 2, transferSeconds: 1, countsAllocations: false, waiting: 0.04)
}
