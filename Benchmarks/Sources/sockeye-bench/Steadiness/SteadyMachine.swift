import BenchmarkKit
import BenchmarkReport
import Glibc

/// Takes samples while the machine is undisturbed, as far as there is time to wait for that.
final class SteadyMachine {
    private var steadiness: Steadiness
    private let probe: MachineProbe
    private let console: Console
    /// The reading after the last sample. If the next sample begins at once, it is also the reading before that.
    private var last: (reading: MachineReading, time: ContinuousClock.Instant)?

    /// Reads the machine repeatedly, so that there are best values from the first sample on.
    ///
    /// - Parameter waitingTime: The additional time that the run may take.
    init(waitingTime: WaitingTime, console: Console) throws {
        self.console = console
        steadiness = Steadiness(waitingTime)
        probe = try MachineProbe()
        for _ in 0..<Self.firstReadings {
            steadiness.learn(try probe.read())
            Self.pause(Self.moment)
        }
    }

    private static let firstReadings = 20
    /// The seconds between two readings.
    private static let moment = 0.05
    private static let waitingMoment = 0.5

    /// The best readings so far, which decide about disturbed samples.
    var yardstick: Yardstick { steadiness.yardstick }

    /// Takes samples, and repeats them if the machine was disturbed.
    ///
    /// - Parameter isPatient: True if the samples are worth waiting for and repeating.
    func sample<Samples>(
        planned seconds: Double, isPatient: Bool, _ take: () -> Samples
    ) throws -> (samples: Samples, conditions: SampleConditions) {
        var (repeats, waited) = (0, 0.0)
        while true {
            let before = try waitUntilSteady(&waited, isPatient)
            let (samples, took) = Self.timed(take)
            let conditions = SampleConditions(before: before, after: try read(), repeats: repeats)
            last = (conditions.after, .now)
            guard steadiness.next(after: conditions, took: took, isPatient: isPatient) == .takeAgain else {
                steadiness.finish(planned: seconds)
                return (samples, conditions)
            }
            steadiness.spend(took)
            repeats += 1
        }
    }

    /// Waits while the machine is disturbed and waiting is allowed. Returns the last reading.
    private func waitUntilSteady(_ waited: inout Double, _ isPatient: Bool) throws -> MachineReading {
        var reading = try recent() ?? read()
        while steadiness.next(before: reading, waited: waited, isPatient: isPatient) == .wait {
            console.status("waiting, because the machine is slower than before")
            let start = ContinuousClock.now
            Self.pause(Self.waitingMoment)
            reading = try probe.read()
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            waited += seconds
            steadiness.spend(seconds)
        }
        return reading
    }

    private func recent() -> MachineReading? {
        defer { last = nil }
        guard let last, .now - last.time < .milliseconds(20) else { return nil }
        return last.reading
    }

    /// Returns the best of up to three readings, if the first shows a busy machine. Work that ends within a tenth of a
    /// second is not a disturbance, such as the server closing a thousand connections of the previous client. The
    /// second and third reading count as waiting. Cores that are far apart stay so for longer, so they are not read
    /// again.
    private func read() throws -> MachineReading {
        var best = try probe.read()
        for _ in 0..<2 where yardstick.isBusy(best) && !yardstick.isFarApart(best) && steadiness.waitingTime.left > 0 {
            let start = ContinuousClock.now
            Self.pause(Self.moment)
            let other = try probe.read()
            if yardstick.slowdown(of: other) < yardstick.slowdown(of: best) { best = other }
            steadiness.spend((ContinuousClock.now - start) / .seconds(1))
        }
        return best
    }

    private static func timed<Result>(_ body: () -> Result) -> (Result, seconds: Double) {
        let start = ContinuousClock.now
        let result = body()
        return (result, (ContinuousClock.now - start) / .seconds(1))
    }

    private static func pause(_ seconds: Double) { usleep(UInt32(seconds * 1e6)) }
}
