/// Servers that return from their command once they listen and have gone into the background, which is why nobody has to
/// poll; then they write their process id down.
enum Daemon {
    /// The script of a ``Guardian`` for one: prints `ready`.
    ///
    /// - Parameters:
    ///   - command: Starts it.
    ///   - pidFile: The name of the file with the id, in the server's folder.
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
