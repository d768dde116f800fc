package import BenchmarkKit

/// A figure of a scenario: how it reads, and how it comes out of what a client process reported.
///
/// A scenario says which columns it has; tables, `results.json`, targets and charts know nothing else of its kind.
package struct Column: Sendable {
    /// Which of the samples of a client a figure is taken from.
    package enum Pass: Sendable {
        /// Those of the turns.
        case turn
        /// What each process says at its end about all of its turns.
        case process
        /// Those of short processes of their own, in which allocations, instructions or system calls are counted, which
        /// disturbs what time shows.
        case allocations, instructions, systemCalls
    }

    package let heading: Heading
    package let pass: Pass
    /// The figure of one process; nil where it has none, as when the machine does not let instructions be counted.
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
