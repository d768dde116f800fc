import BenchmarkReport
import Testing

@Suite struct SteadinessTests {
    private static let fast = MachineReading(cpu: 1000, wall: 1000)
    private static let slow = MachineReading(cpu: 2000, wall: 2000)

    /// Returns a steadiness that knows the best reading and may wait.
    private func steadiness(seconds: Double = 1000) -> Steadiness {
        var steadiness = Steadiness(WaitingTime(planned: seconds, fraction: 0.25))
        steadiness.learn(Self.fast)
        return steadiness
    }

    @Test(
        "A sample waits for a slow machine, up to a limit",
        arguments: [
            (fast, 0, .take), (slow, 0, .wait), (slow, Steadiness.longestWait - 0.1, .wait),
            (slow, Steadiness.longestWait, .take),
        ] as [(MachineReading, Double, Steadiness.Step)])
    func waiting(reading: MachineReading, waited: Double, step: Steadiness.Step) {
        var steadiness = steadiness()
        #expect(steadiness.next(before: reading, waited: waited) == step)
    }

    @Test(
        "A sample is repeated a few times if the machine was slow before or after it",
        arguments: [
            (fast, fast, 0, .keep), (slow, fast, 0, .takeAgain), (fast, slow, 0, .takeAgain),
            (slow, slow, Steadiness.mostRepeats - 1, .takeAgain), (slow, slow, Steadiness.mostRepeats, .keep),
        ] as [(MachineReading, MachineReading, Int, Steadiness.Step)])
    func repeating(before: MachineReading, after: MachineReading, repeats: Int, step: Steadiness.Step) {
        var steadiness = steadiness()
        let conditions = SampleConditions(before: before, after: after, repeats: repeats)
        #expect(steadiness.next(after: conditions, took: 1) == step)
    }

    @Test("A sample longer than the remaining time is not repeated, and without time there is no waiting")
    func timeUsedUp() {
        var steadiness = steadiness()
        let conditions = SampleConditions(before: Self.slow, after: Self.slow, repeats: 0)
        steadiness.spend(WaitingTime.start - 2)
        #expect(steadiness.next(after: conditions, took: 2.1) == .keep)
        #expect(steadiness.next(after: conditions, took: 2) == .takeAgain)
        steadiness.spend(2)
        #expect(steadiness.next(before: Self.slow, waited: 0) == .take)
        #expect(steadiness.next(after: conditions, took: 0.1) == .keep)
    }

    @Test("The first reading of a machine is the best so far, and later ones may be better")
    func unknownMachine() {
        var steadiness = Steadiness(WaitingTime(planned: 1000, fraction: 0.25))
        #expect(steadiness.next(before: Self.slow, waited: 0) == .take)
        let conditions = SampleConditions(before: Self.slow, after: Self.fast, repeats: 0)
        #expect(steadiness.next(after: conditions, took: 1) == .takeAgain)
    }

    @Test("A sample that is not worth waiting for is taken at once and not repeated")
    func impatient() {
        var steadiness = steadiness()
        #expect(steadiness.next(before: Self.slow, waited: 0, isPatient: false) == .take)
        let conditions = SampleConditions(before: Self.slow, after: Self.slow, repeats: 0)
        #expect(steadiness.next(after: conditions, took: 1, isPatient: false) == .keep)
    }

    @Test(
        "A turn is worth waiting for if there would be too few undisturbed turns without it",
        arguments: [
            (0, 0, 7, false), (0, 2, 7, false), (0, 3, 7, true), (1, 3, 7, false), (1, 4, 7, true), (3, 6, 7, true),
            (4, 6, 7, false), (0, 0, 3, false), (0, 1, 3, true), (1, 1, 3, false), (1, 2, 3, true), (0, 0, 1, true),
        ])
    func patience(undisturbed: Int, turn: Int, turns: Int, isPatient: Bool) {
        #expect(Steadiness.isPatient(undisturbed: undisturbed, turn: turn, of: turns) == isPatient)
    }
}
