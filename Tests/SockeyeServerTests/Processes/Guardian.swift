import Glibc
import Synchronization

/// A server in a child process. A shell watches it, and ends it when this value is stopped or this process ends.
///
/// The shell waits for the end of its standard input, a pipe that only this process can write to. So the server never
/// survives a test, whether that ends by success, failure, crash or kill. The folder is removed in the same way.
final class Guardian: Sendable {
    /// The first line that the server or the script printed: `ready`, or the port.
    let greeting: String
    private let watching: Mutex<(shell: pid_t, lifeline: Int32)?>

    /// Runs a shell script with the server's folder as `$folder` and `$1`, and further arguments.
    ///
    /// - Parameters:
    ///   - script: Starts the server so that a line is printed once it is ready. It sets `$server` to the process id,
    ///     or defines a function `find` that sets it when the server has to be ended.
    ///   - folder: The server's folder, removed at the end.
    init(script: String, folder: String, arguments: [String]) throws {
        let (input, lifeline) = try Self.makePipe()
        let (output, printed) = try Self.makePipe()
        let shell = Result {
            try Self.spawn(
                ["/bin/bash", "-c", Self.watch(script), "bash", folder] + arguments, input: input, output: printed,
                log: folder + "/output.log")
        }
        // Now only the shell and its children have the other ends.
        close(input)
        close(printed)
        defer { close(output) }
        guard case .success(let shell) = shell else {
            close(lifeline)
            throw ServerFailure("/bin/bash cannot be started")
        }
        watching = Mutex((shell, lifeline))
        greeting = Self.readLine(from: output)
    }

    /// Returns the shell's script. It starts the server, waits, ends the server by its id within ten seconds, and
    /// removes the folder. A server in state Z (not waited for yet) has ended.
    ///
    /// First it closes inherited descriptors. Foundation's Process may start other children of this process at the same
    /// time, through pipes that children inherit. If the shell kept such a pipe open, the end of that other child would
    /// not be noticed. Only bash can close descriptors of two digits.
    private static func watch(_ script: String) -> String {
        """
        folder=$1
        for inherited in /proc/$$/fd/*; do
            inherited=${inherited##*/}
            if [ "$inherited" -gt 2 ]; then eval "exec $inherited>&-"; fi
        done
        find() { :; }
        alive() { [ -e "/proc/$server/stat" ] && ! grep -q ') Z ' "/proc/$server/stat"; }
        \(script)
        trap '' INT TERM HUP
        exec >&-
        read -r _
        find
        if [ -n "$server" ]; then
            kill "$server" 2>/dev/null
            tries=0
            while alive && [ $tries -lt 500 ]; do sleep 0.02; tries=$((tries + 1)); done
            if alive; then kill -9 "$server"; fi
        fi
        rm -rf -- "$folder"
        """
    }

    deinit {
        stop()
    }

    /// Ends the server and returns when it has ended.
    func stop() {
        guard let (shell, lifeline) = watching.withLock({ $0.take() }) else { return }
        close(lifeline)
        var status: Int32 = 0
        while unsafe waitpid(shell, &status, 0) < 0, errno == EINTR {}
    }

    /// Socket pairs are used as pipes, because they can be created with close-on-exec set.
    private static func makePipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw ServerFailure("socketpair", code: errno) }
        return (ends[0], ends[1])
    }

    private static func spawn(_ command: [String], input: Int32, output: Int32, log: String) throws -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, input, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
        unsafe posix_spawn_file_actions_addopen(&actions, 2, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        // Threads of the runtime block signals. A child that inherited the mask could not be ended by a signal.
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var arguments: [UnsafeMutablePointer<CChar>?] = unsafe command.map { unsafe strdup($0) }
        defer { for index in unsafe arguments.indices { unsafe free(arguments[index]) } }
        unsafe arguments.append(nil)
        var process: pid_t = 0
        let code = unsafe posix_spawn(&process, command[0], &actions, &attributes, &arguments, environ)
        guard code == 0 else { throw ServerFailure("posix_spawn", code: code) }
        return process
    }

    /// Returns the first line, or its beginning if the other side has closed.
    private static func readLine(from descriptor: Int32) -> String {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while unsafe read(descriptor, &byte, 1) == 1, byte != UInt8(ascii: "\n") { line.append(byte) }
        return String(decoding: line, as: UTF8.self)
    }
}
