/// A line at the bottom of a terminal that is redrawn repeatedly.
///
/// If the terminal became narrower, it wraps the shown line into several rows. The new width determines their number,
/// and they are all erased, so that nothing of an old bar remains.
package struct LiveLine: Sendable {
    /// The number of columns of the shown line.
    private var columns = 0

    package init() {}

    /// Returns the text that replaces the shown line on the terminal by a new one.
    package mutating func draw(_ line: String, width: Int) -> String {
        defer { columns = line.count }
        return erasing(width) + line
    }

    /// Returns the text that removes the shown line from the terminal.
    package mutating func clear(width: Int) -> String {
        guard columns > 0 else { return "" }
        defer { columns = 0 }
        return erasing(width)
    }

    /// Returns CR, cursor up to the first row of the line, and erase to the end of the screen (ECMA-48 CUU and ED).
    private func erasing(_ width: Int) -> String {
        let rows = (max(1, columns) + max(1, width) - 1) / max(1, width)
        return "\r" + (rows > 1 ? "\u{1B}[\(rows - 1)A" : "") + "\u{1B}[J"
    }
}
