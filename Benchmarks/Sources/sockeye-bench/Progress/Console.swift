import Foundation
import Glibc

/// The output of a run: on a terminal one status line that is overwritten, and in logs only few lines.
final class Console {
    private let isTerminal = isatty(STDOUT_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    private var showsStatus = false
    private var lastLine = ContinuousClock.now

    /// The number of characters in a line of the terminal; unlimited without a terminal.
    var width: Int {
        var size = winsize()
        guard isTerminal, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return .max }
        return Int(size.ws_col)
    }

    /// Prints one or more lines.
    func line(_ text: String) {
        clearStatus()
        write(text + "\n", to: .standardOutput)
        lastLine = .now
    }

    /// Prints a line in bold.
    func title(_ text: String) {
        line(isTerminal ? "\u{1B}[1m\(text)\u{1B}[0m" : text)
    }

    /// Prints a warning about a failure that does not end the run.
    func warning(_ text: String) {
        clearStatus()
        write("  \(text)\n", to: .standardError)
    }

    /// Shows the present activity on a terminal; replaces the previous status.
    func status(_ text: String) {
        guard isTerminal else { return }
        showsStatus = true
        write("\r\(text.prefix(max(20, width - 1)))\u{1B}[K", to: .standardOutput)
    }

    /// Prints a line in a log if nothing was printed for half a minute.
    func signOfLife(_ text: String) {
        guard !isTerminal, .now - lastLine > .seconds(30) else { return }
        line(text)
    }

    private func clearStatus() {
        guard showsStatus else { return }
        showsStatus = false
        write("\r\u{1B}[K", to: .standardOutput)
    }

    /// Writes without a buffer, so that standard output and standard error keep their order.
    private func write(_ text: String, to file: FileHandle) { file.write(Data(text.utf8)) }
}
