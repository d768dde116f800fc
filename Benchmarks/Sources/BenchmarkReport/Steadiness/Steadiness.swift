/// Decides when a sample is taken, and if it is kept. The decision depends on the state of the machine before and after
/// the sample, never on the sample itself, and the rules are the same for every client.
package struct Steadiness: Sendable {
    /// The next step after a reading of the machine.
    package enum Step: Sendable, Equatable {
        /// Read the machine again a moment later.
        case wait
        /// Take the sample, because the machine is undisturbed or no time is left for waiting.
        case take
        /// Take the sample again, because the machine was disturbed.
        case takeAgain
        /// Keep the sample, disturbed or not.
        case keep
    }

    /// The maximum of repetitions of a sample.
    package static let mostRepeats = 3
    /// The maximum of seconds to wait for one sample. The machine that this was developed on is slow for 5 to 20 s at a
    /// time, and its cores are far apart for 10 to 60 s.
    package static let longestWait = 60.0

    package private(set) var yardstick = Yardstick()
    package private(set) var waitingTime: WaitingTime

    package init(_ waitingTime: WaitingTime) { self.waitingTime = waitingTime }

    /// Returns true if a turn is worth waiting for: if there would not be enough undisturbed turns without it
    /// (``CountedTurns``).
    ///
    /// Waiting takes most time if the machine is slow for long, and this avoids it if the other turns may be enough. It
    /// was simulated on machines that are slow half of the time, for 10 to 30 s at a time. 8 to 16 % more ratios had
    /// enough undisturbed turns than if the waiting time is spent at the first opportunity.
    ///
    /// - Parameter undisturbed: The number of turns so far in which no client was disturbed.
    /// - Parameter turn: The number of turns so far.
    package static func isPatient(undisturbed: Int, turn: Int, of turns: Int) -> Bool {
        CountedTurns.enough(of: turns) - undisturbed >= turns - turn
    }

    /// Records a reading of the machine that needs no decision.
    package mutating func learn(_ reading: MachineReading) { yardstick.learn(reading) }

    /// Decides after a reading before a sample.
    ///
    /// - Parameters:
    ///   - seconds: The seconds of waiting for this sample so far, in all its attempts.
    ///   - isPatient: True if the sample is worth waiting for.
    package mutating func next(
        before reading: MachineReading, waited seconds: Double, isPatient: Bool = true
    ) -> Step {
        yardstick.learn(reading)
        guard isPatient, yardstick.isSlow(reading), seconds < Self.longestWait, waitingTime.left > 0 else {
            return .take
        }
        return .wait
    }

    /// Decides after a sample that took a number of seconds and would take as many again.
    package mutating func next(
        after conditions: SampleConditions, took seconds: Double, isPatient: Bool = true
    ) -> Step {
        yardstick.learn(conditions.after)
        guard isPatient, conditions.isDisturbed(by: yardstick), conditions.repeats < Self.mostRepeats,
            waitingTime.left >= seconds
        else { return .keep }
        return .takeAgain
    }

    /// Subtracts seconds that were spent with waiting, or with a sample that is taken again.
    package mutating func spend(_ seconds: Double) { waitingTime.spend(seconds) }

    /// Records that a sample was kept for which a number of seconds was planned.
    package mutating func finish(planned seconds: Double) { waitingTime.earn(planned: seconds) }
}
