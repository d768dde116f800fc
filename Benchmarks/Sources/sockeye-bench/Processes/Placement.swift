import CKernelWork
import Glibc

/// The cores on which servers and clients run in a scenario.
enum Placement {
    /// The servers on one core and the client on another, as on two machines: neither takes time from the other, and
    /// the scheduler has no choice.
    case apart
    /// Servers and clients on all cores.
    case shared

    /// The core of the servers and the core of the clients; nil if fewer than two cores are allowed.
    static let cores: (servers: Int, clients: Int)? = {
        let allowed = (0..<1024).filter { bench_core_is_allowed(Int32($0)) }
        return allowed.count > 1 ? (allowed[0], allowed[1]) : nil
    }()

    /// The only core that a client may use; nil for all cores.
    var clientCore: Int? { self == .apart ? Self.cores?.clients : nil }

    /// Moves a running server, which has one thread, to its core.
    func place(server: pid_t) {
        guard let cores = Self.cores else { return }
        _ = bench_stay_on_core(server, self == .apart ? Int32(cores.servers) : -1)
    }
}
