/// Which roots a client can be told to trust.
enum Trust {
    /// Those of a file.
    case ownRoots
    /// Those of the system and no others.
    case systemRoots

    /// Whether this machine lets a process see files of its own choice in place of the system's.
    static let canReplaceSystemRoots: Bool = {
        guard let probe = try? ChildProcess("unshare", ["--map-root-user", "--mount", "true"]) else { return false }
        return probe.readAll(within: 5) != nil && probe.end().status == 0
    }()

    /// A command that runs a program in a mount namespace of its own, in which the system's roots are those of a file.
    /// Nothing changes for anybody else, and the program is the same process, so what it uses is counted alike.
    static func replacingSystemRoots(
        with roots: String, _ program: String, _ arguments: [String]
    ) -> (program: String, arguments: [String]) {
        let script = "mount --bind \"$0\" /etc/ssl/certs/ca-certificates.crt && exec \"$@\""
        return ("unshare", ["--map-root-user", "--mount", "sh", "-c", script, roots, program] + arguments)
    }
}
