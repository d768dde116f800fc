/// Servers with a command that returns once they listen and have gone into the background, so that no polling is
/// needed. They write their process id to a file.
enum Daemon {
    /// Returns the script of a ``Guardian`` for such a server. It prints `ready`.
    ///
    /// - Parameters:
    ///   - command: The command that starts the server.
    ///   - pidFile: The name of the file with the process id, in the server's folder.
    static func script(_ command: String, pidFile: String) -> String {
        """
        \(command) && echo ready
        find() {
            tries=0
            while [ ! -s "$folder/\(pidFile)" ] && [ $tries -lt 40 ]; do sleep 0.05; tries=$((tries + 1)); done
            server=$(cat "$folder/\(pidFile)")
        }
        """
    }
}
