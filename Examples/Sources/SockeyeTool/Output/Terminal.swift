import Foundation
import Glibc
import Sockeye
import SockeyeToolKit

/// Nobody reads standard output any more, or the disk behind it is full.
struct OutputClosed: Error {}

/// One of the two streams to a person or a program.
struct Terminal: Sendable {
    static let output = Terminal(descriptor: STDOUT_FILENO)
    static let error = Terminal(descriptor: STDERR_FILENO)

    /// Whether a person is looking, rather than a file or a pipe.
    let isInteractive: Bool
    /// Whether that person wants colours.
    let isColored: Bool
    private let descriptor: Int32

    private init(descriptor: Int32) {
        self.descriptor = descriptor
        isInteractive = isatty(descriptor) == 1
        let environment = ProcessInfo.processInfo.environment
        isColored = Presentation(nil, isTerminal: isInteractive, environment: environment).isColored
    }

    /// How many columns there are at this moment: as the terminal says, else `COLUMNS`, else 80.
    var width: Int {
        var size = winsize()
        if isInteractive, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
        return ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } ?? 80
    }

    func print(_ line: String) throws(OutputClosed) {
        try write(Bytes("\(line)\n"))
    }

    func write(_ bytes: Bytes) throws(OutputClosed) {
        let isComplete = bytes.withUnsafeBytes { bytes in
            var written = 0
            while written < bytes.count {
                let count = Glibc.write(descriptor, bytes.baseAddress! + written, bytes.count - written)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                written += count
            }
            return true
        }
        if !isComplete { throw OutputClosed() }
    }

    /// A line that matters less than what is done; it may be lost.
    func tell(_ line: String) {
        try? print(line)
    }
}
