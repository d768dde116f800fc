import Glibc

/// The limit of open descriptors of a process.
enum OpenFiles {
    /// Raises the limit of this process and its children as far as the system allows. The default of some systems is
    /// 1,024, the number of connections of one scenario.
    static func raiseLimit() {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(resource, &limit)
    }
}
