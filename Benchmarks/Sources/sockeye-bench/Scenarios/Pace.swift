import BenchmarkKit

/// The numbers of rounds and turns of a run, and their durations.
struct Pace {
    /// The number of times that the clients of each scenario are started.
    var rounds: Int
    /// The number of turns of each client after a start, the number of turns that are one transfer, and the seconds
    /// after which no further turn begins. Each client has at least two turns.
    var turns: Int
    var transfers: Int
    var turnSeconds: Double
    /// The seconds of requests in a turn, and in the warm-up.
    var seconds: Double
    var warmup: Double
    /// True if allocations and instructions are counted, in separate passes.
    var counts: Bool
    /// The time that the run may wait for a disturbed machine, as a fraction of the planned time.
    var waiting: Double

    /// The fraction for waiting in a full run. With a quarter of the planned time, three in four ratios have enough
    /// undisturbed turns on a machine that is slow half of the time, for half a minute at a time. With a half, five in
    /// six have, but spending this time on more rounds is more informative.
    static let patience = 0.25

    static let full = Pace(
        rounds: 4, turns: 3, transfers: 24, turnSeconds: 8, seconds: 0.2, warmup: 0.2, counts: true, waiting: patience)
    static let quick = Pace(
        rounds: 2, turns: 4, transfers: 20, turnSeconds: 4, seconds: 0.12, warmup: 0.1, counts: false, waiting: 0.1)

    /// Returns the number of turns with the given options; one if a process makes only one measurement.
    func turns(with options: ClientOptions) -> Int {
        guard options.mode == .turns else { return 1 }
        return options.requests == .max ? turns : transfers
    }

    /// Returns the seconds of requests in a mode; at least one second if there is only one turn.
    func seconds(for mode: Mode) -> Double { mode == .turns ? seconds : max(seconds, 1) }
}
