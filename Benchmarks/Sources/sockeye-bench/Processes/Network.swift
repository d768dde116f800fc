import CKernelWork
import Foundation
import Glibc

/// The loopback that servers and clients talk over.
///
/// Where it is allowed, which takes root, that of a network namespace of this run's own: no filter rules of the machine, all
/// ports free, and the kernel's own congestion control, CUBIC, even if the machine is set to another. BBR, for one, paces what
/// it sends by what it believes the path to carry, and makes the same transfer over loopback a fifth slower or not from
/// one minute to the next.
struct Network {
    private let isOwn: Bool
    private static let controls = "/proc/sys/net/ipv4/tcp_congestion_control"
    private static let preferred = "cubic"

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
        try? preferred.write(toFile: controls, atomically: false, encoding: .utf8)
        return Network(isOwn: true)
    }

    /// What the results say of it.
    var fact: String {
        let control = (try? String(contentsOfFile: Self.controls, encoding: .utf8))?.trimmingCharacters(in: .newlines)
        let place = isOwn ? "loopback of a namespace of its own" : "loopback of the machine"
        return "\(place), congestion control \(control ?? "unknown")"
    }
}
