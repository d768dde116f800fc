/// The root certificates that a client can be configured to trust.
enum Trust {
    /// The roots in a file.
    case ownRoots
    /// Only the system's roots.
    case systemRoots

    /// True if this machine allows mount namespaces, in which other files replace the system's roots.
    static let canReplaceSystemRoots: Bool = {
        guard let probe = try? ChildProcess("unshare", ["--map-root-user", "--mount", "true"]) else { return false }
        return probe.readAll(within: 5) != nil && probe.end().status == 0
    }()

    /// Returns a command that runs a program in its own mount namespace, in which a file replaces the system's roots.
    /// Other processes are not affected. The program runs in the same process, so that its resources are counted as
    /// usual.
    static func replacingSystemRoots(
        with roots: String, _ program: String, _ arguments: [String]
    ) -> (program: String, arguments: [String]) {
        let script = "mount --bind \"$0\" /etc/ssl/certs/ca-certificates.crt && exec \"$@\""
        return ("unshare", ["--map-root-user", "--mount", "sh", "-c", script, roots, program] + arguments)
    }
}
