import Glibc
import Sockeye

/// Prints results in columns, with colours if the output is a terminal.
struct Terminal: Sendable {
    static let standardOutput = Terminal(descriptor: STDOUT_FILENO)
    static let standardError = Terminal(descriptor: STDERR_FILENO)

    /// True if the output is a terminal, rather than a file or a pipe, and NO_COLOR is not set.
    let isInteractive: Bool
    private let descriptor: Int32

    private init(descriptor: Int32) {
        self.descriptor = descriptor
        isInteractive = isatty(descriptor) == 1 && getenv("NO_COLOR") == nil
    }

    func print(_ line: String) {
        write(line + "\n")
    }

    /// Writes a text unchanged and without a buffer.
    func write(_ text: String) {
        write(Bytes(text))
    }

    /// Writes bytes unchanged; returns false if writing failed, as after the reader has closed a pipe.
    @discardableResult
    func write(_ bytes: Bytes) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var written = 0
            while written < bytes.count {
                let count = Glibc.write(descriptor, bytes.baseAddress! + written, bytes.count - written)
                guard count > 0 else { return false }
                written += count
            }
            return true
        }
    }

    func headline(_ text: String) {
        print("\n" + strong(text))
    }

    /// Prints a line with an action, its outcome and its duration.
    func result(_ what: String, _ outcome: String, _ time: String = "") {
        let end = time.isEmpty ? "" : String(repeating: " ", count: max(1, 34 - outcome.count)) + dim(time)
        print("  \(good("✓")) \(what)\(String(repeating: " ", count: max(1, 30 - what.count)))\(strong(outcome))\(end)")
    }

    /// Prints a remark about the result above it.
    func note(_ text: String) {
        print("    " + dim(text))
    }

    func strong(_ text: String) -> String { style("1", text) }
    func dim(_ text: String) -> String { style("2", text) }
    func good(_ text: String) -> String { style("32", text) }
    func bad(_ text: String) -> String { style("31", text) }

    private func style(_ code: String, _ text: String) -> String {
        isInteractive && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
