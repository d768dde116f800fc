import BenchmarkKit

/// How long a run takes its time.
struct Pace {
    /// How often the clients of each scenario are started anew.
    var rounds: Int
    /// How many turns each of them takes then, and how many where a turn is one transfer; and after how many seconds none
    /// begins any more, but two they have in any case.
    var turns: Int
    var transfers: Int
    var turnSeconds: Double
    /// Seconds of requests in a turn, and of uncounted ones before the first.
    var seconds: Double
    var warmup: Double
    /// Whether allocations and instructions are counted, in passes of their own.
    var counts: Bool
    /// How much longer the run may take to wait for a machine that is disturbed, as a fraction of what is planned.
    var waiting: Double

    /// The waiting of a run that may take its time. With a quarter of what is planned, three in four ratios have enough
    /// undisturbed turns on a machine that is slow half of the time, for half a minute at once; with a half, five in six,
    /// but the same time in more rounds tells more.
    static let patience = 0.25

    static let full = Pace(
        rounds: 4, turns: 3, transfers: 24, turnSeconds: 8, seconds: 0.2, warmup: 0.2, counts: true, waiting: patience)
    static let quick = Pace(
        rounds: 2, turns: 4, transfers: 20, turnSeconds: 4, seconds: 0.12, warmup: 0.1, counts: false, waiting: 0.1)

    /// How many turns there are with such options: one where a process does one thing.
    func turns(with options: ClientOptions) -> Int {
        guard options.mode == .turns else { return 1 }
        return options.requests == .max ? turns : transfers
    }

    /// How long requests are sent in such a mode: where there is only one turn, it is a long one.
    func seconds(for mode: Mode) -> Double { mode == .turns ? seconds : max(seconds, 1) }
}
