/// A line at the bottom of a terminal that is drawn again and again.
///
/// A terminal that has become narrower breaks the line that it shows into several rows; those are counted by the new width
/// and taken back, so that nothing of an old bar stays.
package struct LiveLine: Sendable {
    /// Columns of what is on the screen.
    private var columns = 0

    package init() {}

    /// What the terminal has to be sent for this line to take the place of the last one.
    package mutating func draw(_ line: String, width: Int) -> String {
        defer { columns = line.count }
        return erasing(width) + line
    }

    /// What the terminal has to be sent for the line to go away.
    package mutating func clear(width: Int) -> String {
        guard columns > 0 else { return "" }
        defer { columns = 0 }
        return erasing(width)
    }

    /// CR, cursor up to the row in which the line began, erase to the end of the screen (ECMA-48 CUU and ED).
    private func erasing(_ width: Int) -> String {
        let rows = (max(1, columns) + max(1, width) - 1) / max(1, width)
        return "\r" + (rows > 1 ? "\u{1B}[\(rows - 1)A" : "") + "\u{1B}[J"
    }
}
