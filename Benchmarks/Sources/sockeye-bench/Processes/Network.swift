import CKernelWork
import Foundation
import Glibc

/// The loopback network between servers and clients.
///
/// As root, a run has its own network namespace. It has no filter rules of the machine, over twice as many ports, all
/// of them free, and the kernel's own congestion control, CUBIC, whatever the machine's setting is. BBR, for example,
/// paces the sender by its estimate of the path. With it, the same transfer over loopback may be a fifth slower in one
/// minute than in the next.
struct Network {
    private let isOwn: Bool
    private static let settings = "/proc/sys/net/ipv4/"
    private static let control = "tcp_congestion_control"

    /// Makes the namespace for the calling thread and its future children. If that is not allowed, keeps the machine's
    /// network.
    ///
    /// - Throws: An error if the namespace was made but has no loopback interface.
    static func isolated() throws -> Network {
        guard bench_own_network() == 0 else {
            if errno == ENETDOWN { throw POSIXError(.ENETDOWN) }
            return Network(isOwn: false)
        }
        // A kernel without CUBIC keeps the machine's setting, which the results name.
        set(control, to: "cubic")
        // A closed connection keeps its port for a second. If most of the default 28,000 ports are taken, the search
        // for a free one takes longer than the rest of a connection.
        set("ip_local_port_range", to: "1024 65535")
        return Network(isOwn: true)
    }

    private static func set(_ name: String, to value: String) {
        try? value.write(toFile: settings + name, atomically: false, encoding: .utf8)
    }

    /// The text about the network in the results.
    var fact: String {
        let control = (try? String(contentsOfFile: Self.settings + Self.control, encoding: .utf8))?
            .trimmingCharacters(in: .newlines)
        let place = isOwn ? "loopback of a separate namespace" : "loopback of the machine"
        return "\(place), congestion control \(control ?? "unknown")"
    }
}
