import Glibc

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
}
