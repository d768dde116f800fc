package import BenchmarkKit

/// A figure of a scenario: its heading, and its value for the sample of a client process.
///
/// The kind of a scenario determines its columns. Tables, `results.json`, targets and charts depend only on the
/// columns.
package struct Column: Sendable {
    /// The samples of a client that a figure is taken from.
    package enum Pass: Sendable {
        /// The samples of the turns.
        case turn
        /// The sample of each process about all of its turns.
        case process
        /// The samples of separate short processes, in which allocations, instructions or system calls are counted.
        /// Counting would disturb measurements of time.
        case allocations, instructions, systemCalls
    }

    package let heading: Heading
    package let pass: Pass
    /// Returns the figure of a sample; nil if it is missing, as when the machine cannot count instructions.
    package let value: @Sendable (Sample) -> Double?

    package init(
        _ figure: String, title: String = "", unit: String, better: Direction? = .lower,
        style: NumberStyle = .significant, showsRange: Bool = false, ratioTitle: String? = nil, pass: Pass = .turn,
        value: @escaping @Sendable (Sample) -> Double?
    ) {
        heading = Heading(
            figure: figure, title: title, unit: unit, better: better, style: style, showsRange: showsRange,
            ratioTitle: ratioTitle)
        self.pass = pass
        self.value = value
    }
}
