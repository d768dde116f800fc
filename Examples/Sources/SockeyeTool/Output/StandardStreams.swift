import Glibc
import SockeyeToolKit

/// Standard input, output and error of a run. Tests run commands in their own process, with files instead.
struct StandardStreams: Sendable {
    let input: StandardInput
    let output: Terminal
    let error: Terminal

    init(input: Int32, output: Int32, error: Int32) {
        self.input = StandardInput(descriptor: input)
        self.output = Terminal(descriptor: output)
        self.error = Terminal(descriptor: error)
    }

    /// The streams of the current run; by default those of the process.
    @TaskLocal static var current = StandardStreams(input: STDIN_FILENO, output: STDOUT_FILENO, error: STDERR_FILENO)

    /// Opens the standard streams that are closed, so that no socket or file of the process gets their numbers. Each is
    /// opened for the wrong direction: a read or a write fails with EBADF, as it does with a closed stream.
    ///
    /// Call this before the process opens anything. Ends the process if /dev/null cannot be opened.
    static func openClosed() {
        for (descriptor, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)] {
            // The lower numbers are taken, so a new descriptor gets this number.
            guard fcntl(descriptor, F_GETFD) < 0, open("/dev/null", mode) != descriptor else { continue }
            exit(ExitStatus.resources.code)
        }
    }
}
