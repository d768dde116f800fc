import CKernelWork
import Glibc

/// Which cores the two sides of a scenario run on.
enum Placement {
    /// The servers on one core and the client on another, as if on two machines: neither takes time from the other, and
    /// the scheduler has nothing to decide.
    case apart
    /// Everybody on all cores.
    case shared

    /// The core of the servers and that of the clients; nil on a machine without two.
    static let cores: (servers: Int, clients: Int)? = {
        let allowed = (0..<1024).filter { bench_core_is_allowed(Int32($0)) }
        return allowed.count > 1 ? (allowed[0], allowed[1]) : nil
    }()

    /// The core that a client is to stay on, if it is.
    var clientCore: Int? { self == .apart ? Self.cores?.clients : nil }

    /// Puts a running server, which has one thread, where it belongs.
    func place(server: pid_t) {
        guard let cores = Self.cores else { return }
        _ = bench_stay_on_core(server, self == .apart ? Int32(cores.servers) : -1)
    }
}
