import CKernelWork
import Foundation
import Glibc

/// The loopback that servers and clients talk over.
///
/// Where it is allowed, which takes root, that of a network namespace of this run's own: no filter rules of the machine,
/// over twice its ports, all free, and the kernel's own congestion control, CUBIC, even if the machine is set to another. BBR, for one, paces what
/// it sends by what it believes the path to carry, and makes the same transfer over loopback a fifth slower or not from
/// one minute to the next.
struct Network {
    private let isOwn: Bool
    private static let settings = "/proc/sys/net/ipv4/"
    private static let control = "tcp_congestion_control"

    /// Makes the namespace for the calling thread and what it starts from now on. Stays with the machine's network where
    /// that is not allowed.
    ///
    /// - Throws: where half of it was done, and nothing can be reached any more.
    static func isolated() throws -> Network {
        guard bench_own_network() == 0 else {
            if errno == ENETDOWN { throw POSIXError(.ENETDOWN) }
            return Network(isOwn: false)
        }
        // A kernel without it keeps what the machine has, which the results tell.
        set(control, to: "cubic")
        // A connection that was closed keeps its port for a second, and looking for another among the 28,000 that there are
        // otherwise takes longer than all the rest of a connection where that many are made in a second.
        set("ip_local_port_range", to: "1024 65535")
        return Network(isOwn: true)
    }

    private static func set(_ name: String, to value: String) {
        try? value.write(toFile: settings + name, atomically: false, encoding: .utf8)
    }

    /// What the results say of it.
    var fact: String {
        let control = (try? String(contentsOfFile: Self.settings + Self.control, encoding: .utf8))?
            .trimmingCharacters(in: .newlines)
        let place = isOwn ? "loopback of a namespace of its own" : "loopback of the machine"
        return "\(place), congestion control \(control ?? "unknown")"
    }
}
