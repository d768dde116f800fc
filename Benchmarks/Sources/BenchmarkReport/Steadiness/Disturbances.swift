/// How many samples of a run met a disturbed machine.
package struct Disturbances: Sendable, Equatable {
    package let samples: Int
    /// Those that were taken again at least once.
    package let takenAgain: Int
    /// Those that were kept although the machine was disturbed.
    package let disturbed: Int

    /// Nil for results that do not tell.
    package init?(_ results: RunResults) {
        let clients = results.scenarios.flatMap(\.clients)
        let disturbed = clients.flatMap(\.disturbed)
        guard !disturbed.isEmpty else { return nil }
        samples = disturbed.count
        takenAgain = clients.flatMap(\.repeats).count { $0 > 0 }
        self.disturbed = disturbed.count { $0 }
    }

    /// A sentence for people.
    package var text: String {
        """
        Of \(NumberStyle.whole.text(Double(samples))) samples \(takenAgain) \(takenAgain == 1 ? "was" : "were") taken \
        again because right before or after the machine was over \(NumberStyle.significant.text(Yardstick.limit)) times \
        slower than its best, or its cores over \(NumberStyle.significant.text(Yardstick.distanceLimit)) times further \
        apart, and \(disturbed) stayed disturbed.
        """
    }
}
