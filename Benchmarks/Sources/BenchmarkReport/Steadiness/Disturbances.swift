/// The numbers of samples of a run that were affected by a disturbed machine.
package struct Disturbances: Sendable, Equatable {
    package let samples: Int
    /// The number of samples that were taken again at least once.
    package let takenAgain: Int
    /// The number of samples that were kept although the machine was disturbed.
    package let disturbed: Int

    /// Counts the samples of a run; nil for results without this information.
    package init?(_ results: RunResults) {
        let clients = results.scenarios.flatMap(\.clients)
        let disturbed = clients.flatMap(\.disturbed)
        guard !disturbed.isEmpty else { return nil }
        samples = disturbed.count
        takenAgain = clients.flatMap(\.repeats).count { $0 > 0 }
        self.disturbed = disturbed.count { $0 }
    }

    /// A sentence for the report.
    package var text: String {
        """
        Of \(NumberStyle.whole.text(Double(samples))) samples, \(takenAgain) \(takenAgain == 1 ? "was" : "were") repeated. \
        Directly before or after them, the machine took over \(NumberStyle.significant.text(Yardstick.limit)) times its \
        best time, or its cores were over \(NumberStyle.significant.text(Yardstick.distanceLimit)) times as far apart as \
        at best. In the end \(disturbed) of all samples \(disturbed == 1 ? "was" : "were") disturbed.
        """
    }
}
