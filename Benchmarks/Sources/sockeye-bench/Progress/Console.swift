import Foundation
import Glibc

/// What people see while a run goes on: on a terminal one line that is written over again and again, elsewhere few
/// lines, because nobody wants to scroll through those of a log.
final class Console {
    private let isTerminal = isatty(STDOUT_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    private var showsStatus = false
    private var lastLine = ContinuousClock.now

    /// How many characters a line of the terminal takes.
    var width: Int {
        var size = winsize()
        guard isTerminal, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return .max }
        return Int(size.ws_col)
    }

    /// A line, or several.
    func line(_ text: String) {
        clearStatus()
        write(text + "\n", to: .standardOutput)
        lastLine = .now
    }

    /// A line that stands out.
    func title(_ text: String) {
        line(isTerminal ? "\u{1B}[1m\(text)\u{1B}[0m" : text)
    }

    /// Something went wrong that does not end the run.
    func warning(_ text: String) {
        clearStatus()
        write("  \(text)\n", to: .standardError)
    }

    /// What is going on at this moment; replaces what was going on before.
    func status(_ text: String) {
        guard isTerminal else { return }
        showsStatus = true
        write("\r\(text.prefix(max(20, width - 1)))\u{1B}[K", to: .standardOutput)
    }

    /// A sign of life for logs that have been silent for a while.
    func signOfLife(_ text: String) {
        guard !isTerminal, .now - lastLine > .seconds(30) else { return }
        line(text)
    }

    private func clearStatus() {
        guard showsStatus else { return }
        showsStatus = false
        write("\r\u{1B}[K", to: .standardOutput)
    }

    /// Without a buffer, so that what goes to different places keeps its order.
    private func write(_ text: String, to file: FileHandle) { file.write(Data(text.utf8)) }
}
