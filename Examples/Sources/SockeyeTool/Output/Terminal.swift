import Foundation
import Glibc
import Sockeye
import SockeyeToolKit

/// An error: the reader of standard output has closed it, or its disk is full.
struct OutputClosed: Error {}

/// Standard output or standard error.
struct Terminal: Sendable {
    static var output: Terminal { StandardStreams.current.output }
    static var error: Terminal { StandardStreams.current.error }

    /// True if the stream is a terminal, rather than a file or a pipe.
    let isInteractive: Bool
    /// True if the stream is a terminal and the environment does not turn colours off.
    let isColored: Bool
    private let descriptor: Int32

    init(descriptor: Int32) {
        self.descriptor = descriptor
        isInteractive = isatty(descriptor) == 1
        let environment = ProcessInfo.processInfo.environment
        isColored = Presentation(nil, isTerminal: isInteractive, environment: environment).isColored
    }

    /// The present number of columns: the terminal's, else `COLUMNS`, else 80.
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
                if count < 0, errno == EAGAIN {
                    Readiness.writable.wait(for: descriptor)
                    continue
                }
                guard count > 0 else { return false }
                written += count
            }
            return true
        }
        if !isComplete { throw OutputClosed() }
    }

    /// Prints a line and ignores errors.
    func tell(_ line: String) {
        try? print(line)
    }
}
