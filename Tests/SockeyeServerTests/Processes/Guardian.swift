import Glibc
import Synchronization

/// A server in a child process, watched by a shell that ends it when this value is stopped or this process is gone.
///
/// The shell waits for the end of its standard input, a pipe that only this process can write to. So nothing survives a
/// test, however it ends: by success, failure, crash or kill. The folder is removed in the same way.
final class Guardian: Sendable {
    /// The first line that the server or the script printed: that it is ready, or which port it took.
    let greeting: String
    private let watching: Mutex<(shell: pid_t, lifeline: Int32)?>

    /// Runs a shell script with the server's folder as `$folder` and `$1`, and more arguments.
    ///
    /// - Parameters:
    ///   - script: Starts the server so that a line is printed once it is ready. It sets `$server` to the process id, or
    ///     defines a function `find` that does so when the time has come.
    ///   - folder: Removed in the end.
    init(script: String, folder: String, arguments: [String]) throws {
        let (input, lifeline) = try Self.makePipe()
        let (output, printed) = try Self.makePipe()
        let shell = Result {
            try Self.spawn(
                ["/bin/bash", "-c", Self.watch(script), "bash", folder] + arguments, input: input, output: printed,
                log: folder + "/output.log")
        }
        // The shell and what it started have the only other ends now.
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

    /// The shell's script: starts the server, waits, ends it by its id after ten seconds at most, and clears up. A server
    /// that nobody has waited for (Z) has ended.
    ///
    /// First it closes what it inherited. Foundation's Process starts others in this process at the same time, through pipes
    /// that children inherit, and one that stayed open here would keep the end of that other process from being noticed.
    /// Only bash can close descriptors of two digits.
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

    /// Ends the server and returns when it is gone.
    func stop() {
        guard let (shell, lifeline) = watching.withLock({ $0.take() }) else { return }
        close(lifeline)
        var status: Int32 = 0
        while unsafe waitpid(shell, &status, 0) < 0, errno == EINTR {}
    }

    /// Sockets serve as pipes here, since they can be made closed to other children from the start.
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
        // Threads of the runtime block signals, and a child that inherited that could not be told to end.
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

    /// The first line, or what there is of it when the other side is gone.
    private static func readLine(from descriptor: Int32) -> String {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while unsafe read(descriptor, &byte, 1) == 1, byte != UInt8(ascii: "\n") { line.append(byte) }
        return String(decoding: line, as: UTF8.self)
    }
}
