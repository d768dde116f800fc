/// A bar that grows in place; not drawn unless the output is a terminal.
struct ProgressBar {
    private static let width = 32
    private let label: String
    private let total: Int
    private let terminal: Terminal
    private var shown = -1

    init(_ label: String, total: Int, _ terminal: Terminal) {
        self.label = label
        self.total = total
        self.terminal = terminal
    }

    /// Redraws the bar if the percentage has changed.
    mutating func show(_ count: Int) {
        let percent = count * 100 / max(1, total)
        guard terminal.isInteractive, percent != shown else { return }
        shown = percent
        let filled = Self.width * percent / 100
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
        terminal.write("\r    \(label) \(terminal.good(bar)) \(percent) %")
    }

    func clear() {
        if terminal.isInteractive { terminal.write("\r\u{1B}[K") }
    }
}
