import Glibc

/// How many files and sockets a process may have open.
enum OpenFiles {
    /// Raises the limit of this process, and so of those it starts, as far as the system allows. Some systems begin with
    /// 1,024, which is as many connections as one scenario has.
    static func raiseLimit() {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(resource, &limit)
    }
}
