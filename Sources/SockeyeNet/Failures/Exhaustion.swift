import CSockeyeSystem
import Glibc

/// Running out of what the system gives to a process: descriptors, and memory for sockets.
package enum Exhaustion {
    /// Whether that is what `code` says, whichever call it comes from.
    package static func isMeant(by code: Int32) -> Bool {
        switch code {
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: true
        default: false
        }
    }

    /// Why not one more descriptor can be had at this moment; nil where it can.
    ///
    /// For libraries that open files on their own and do not say why they could not: names that are not found, certificates
    /// without issuers.
    static var present: Int32? {
        let descriptor = eventfd(0, Int32(EFD_CLOEXEC))
        guard descriptor < 0 else {
            close(descriptor)
            return nil
        }
        return isMeant(by: errno) ? errno : nil
    }

    /// The system's text for `code`.
    static func text(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }
}

extension TransportError {
    /// Whether nothing but a lack of descriptors or memory stood in the way.
    package var isExhaustion: Bool {
        switch self {
        // The number of descriptors that one user may watch is limited as well (epoll_ctl(2)).
        case .system(call: .epollControl, errno: ENOSPC): true
        case .system(_, let code): Exhaustion.isMeant(by: code)
        case .tls(let failure): failure.reason == .outOfResources
        case .timedOut, .cancelled, .closed, .truncated: false
        }
    }
}
