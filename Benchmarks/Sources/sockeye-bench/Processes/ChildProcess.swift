import Glibc

/// A child process, from its start to its end, when the kernel reports its resource usage.
///
/// Foundation's `Process` is not used for two reasons: it reports no resource usage, and it puts children into their
/// own process group, so that an interrupt from the terminal does not reach them.
final class ChildProcess {
    /// The exit status of the process and its resource usage.
    struct Ending {
        let status: Int32
        let user: Double
        let system: Double
        /// The number of times that a thread yielded or lost its core.
        let switches: Int
    }

    let name: String
    let identifier: pid_t
    /// The read end of its standard output.
    private let output: Int32
    /// The write end of its standard input; the programs of this package end when it is closed.
    private var input: Int32
    /// The bytes that were read after the last returned line.
    private var unread: [UInt8] = []
    private var ending: Ending?

    /// Starts a program, which is looked up in PATH unless its name has a slash. It does not outlive this process: the
    /// kernel kills it when the thread that started it ends, which is the main thread here.
    ///
    /// - Parameters:
    ///   - core: The only core that it may use; nil for all cores.
    ///   - isQuiet: True to discard its standard error.
    init(_ program: String, _ arguments: [String], core: Int? = nil, isQuiet: Bool = false) throws {
        name = program
        let (toChild, fromChild) = (try Self.pipe(), try Self.pipe())
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, toChild[0], STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, fromChild[1], STDOUT_FILENO)
        if isQuiet { posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0) }
        let pinning = core.map { ["taskset", "--cpu-list", "\($0)"] } ?? []
        let words = ["setpriv", "--pdeathsig", "KILL", "--"] + pinning + [program] + arguments
        var vector = words.map { strdup($0) } + [nil]
        defer { for word in vector { free(word) } }
        var identifier: pid_t = 0
        var attributes = Self.attributes()
        defer { posix_spawnattr_destroy(&attributes) }
        let failure = posix_spawnp(&identifier, "setpriv", &actions, &attributes, &vector, environ)
        close(toChild[0])
        close(fromChild[1])
        guard failure == 0 else { throw BenchFailure.system("posix_spawnp \(program)") }
        self.identifier = identifier
        (input, output) = (toChild[1], fromChild[0])
    }

    /// Returns attributes that reset SIGPIPE. This process ignores broken pipes (``ClientProcess``), but its children
    /// should have the default.
    private static func attributes() -> posix_spawnattr_t {
        var attributes = posix_spawnattr_t()
        var signals = sigset_t()
        posix_spawnattr_init(&attributes)
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        return attributes
    }

    private static func pipe() throws -> [Int32] {
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else { throw BenchFailure.system("pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return ends
    }

    /// Returns the next line of its standard output; nil if no line arrives within the time.
    func readLine(within seconds: Double) -> String? {
        let newline = UInt8(ascii: "\n")
        var bytes = unread
        guard read(into: &bytes, until: { $0.contains(newline) }, within: seconds) else { return nil }
        guard let end = bytes.firstIndex(of: newline) else { return nil }
        unread = Array(bytes[(end + 1)...])
        return String(decoding: bytes[..<end], as: UTF8.self)
    }

    /// Returns the rest of its standard output; nil if it does not end within the time.
    func readAll(within seconds: Double) -> String? {
        var bytes = unread
        guard read(into: &bytes, until: { _ in false }, within: seconds) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads until `isEnough` returns true or the output ends; returns false if the time passes before that.
    private func read(into bytes: inout [UInt8], until isEnough: ([UInt8]) -> Bool, within seconds: Double) -> Bool {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while !isEnough(bytes) {
            let left = max(.zero, deadline - .now) / .milliseconds(1)
            var descriptor = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            let ready = poll(&descriptor, 1, Int32(left))
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { return false }
            var piece = [UInt8](repeating: 0, count: 4096)
            let count = Glibc.read(output, &piece, piece.count)
            if count <= 0 { break }
            bytes += piece[..<count]
        }
        return true
    }

    /// Writes an empty line to its standard input; returns false if the process has closed it.
    func nudge() -> Bool {
        var newline = UInt8(ascii: "\n")
        return write(input, &newline, 1) == 1
    }

    /// Closes its standard input.
    func closeInput() {
        guard input >= 0 else { return }
        close(input)
        input = -1
    }

    /// Waits for the end of the process, after sending it a signal if one is given.
    @discardableResult
    func end(signal: Int32? = nil) -> Ending {
        if let ending { return ending }
        if let signal { kill(identifier, signal) }
        closeInput()
        close(output)
        var status: Int32 = 0
        var usage = rusage()
        while wait4(identifier, &status, 0, &usage) < 0, errno == EINTR {}
        let ended = Ending(
            status: status, user: seconds(usage.ru_utime), system: seconds(usage.ru_stime),
            switches: usage.ru_nvcsw + usage.ru_nivcsw)
        ending = ended
        return ended
    }

    deinit { end(signal: SIGKILL) }

    private func seconds(_ time: timeval) -> Double {
        Double(time.tv_sec) + Double(time.tv_usec) / 1e6
    }
}
