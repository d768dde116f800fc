/// Decides when a sample is taken and whether it is kept: by what the machine did around it, never by what it shows, and
/// by the same rules for every client.
package struct Steadiness: Sendable {
    /// What comes after a look at the machine.
    package enum Step: Sendable, Equatable {
        /// Look again a moment later.
        case wait
        /// Take the sample: the machine is as fast as it can be, or there is no time left to wait for that.
        case take
        /// Take it again: the machine was disturbed.
        case takeAgain
        /// Keep it, be it disturbed or not.
        case keep
    }

    /// How often one sample is taken again at most.
    package static let mostRepeats = 3
    /// How many seconds are waited for one sample at most. The machine that this was made for is slow for 5 to 20 s, and
    /// its cores are apart for 10 to 60 s.
    package static let longestWait = 60.0

    package private(set) var yardstick = Yardstick()
    package private(set) var waitingTime: WaitingTime

    package init(_ waitingTime: WaitingTime) { self.waitingTime = waitingTime }

    /// Whether a turn is one to be patient in: if without it there would not be enough undisturbed ones
    /// (``CountedTurns``). Waiting costs most where the machine is slow for long, and this spares it where the rest of
    /// the turns may do, or has done: among simulated machines that are slow half of the time, for 10 to 30 s at once,
    /// 8 to 16 % more ratios have enough undisturbed ones than if all that may be waited is waited as soon as it helps.
    ///
    /// - Parameter undisturbed: the turns so far in which no client was disturbed.
    /// - Parameter turn: how many turns there were so far.
    package static func isPatient(undisturbed: Int, turn: Int, of turns: Int) -> Bool {
        CountedTurns.enough(of: turns) - undisturbed >= turns - turn
    }

    /// The machine was looked at while nothing was to be decided.
    package mutating func learn(_ reading: MachineReading) { yardstick.learn(reading) }

    /// The machine was looked at before a sample for which so many seconds were waited so far, in all its attempts.
    ///
    /// - Parameter isPatient: whether the sample is one to wait for at all.
    package mutating func next(
        before reading: MachineReading, waited seconds: Double, isPatient: Bool = true
    ) -> Step {
        yardstick.learn(reading)
        guard isPatient, yardstick.isSlow(reading), seconds < Self.longestWait, waitingTime.left > 0 else {
            return .take
        }
        return .wait
    }

    /// The machine was looked at after a sample that took so many seconds and would take as many again.
    package mutating func next(
        after conditions: SampleConditions, took seconds: Double, isPatient: Bool = true
    ) -> Step {
        yardstick.learn(conditions.after)
        guard isPatient, conditions.isDisturbed(by: yardstick), conditions.repeats < Self.mostRepeats,
            waitingTime.left >= seconds
        else { return .keep }
        return .takeAgain
    }

    /// So many seconds passed in waiting, or in taking a sample that is taken again.
    package mutating func spend(_ seconds: Double) { waitingTime.spend(seconds) }

    /// A sample for which so many seconds were planned is kept.
    package mutating func finish(planned seconds: Double) { waitingTime.earn(planned: seconds) }
}
