import CSockeyeSystem

/// The system calls that error texts name.
package enum SystemCall: String, Sendable, Hashable {
    case socket, connect, bind, listen, accept, recv, send, sendmsg, sendfile, shutdown, setsockopt, getsockname
    case open, fstat, pread
    case threadCreate = "pthread_create"
    case bindToInterface, queueCreate, queueWakeup, queueWatch

    /// The name of the call on this system, such as `epoll_ctl`.
    package var name: String {
        switch self {
        case .bindToInterface: unsafe String(cString: sockeye_bind_to_interface_name)
        case .queueCreate: unsafe String(cString: sockeye_queue_open_name)
        case .queueWakeup: unsafe String(cString: sockeye_queue_wakeup_name)
        case .queueWatch: unsafe String(cString: sockeye_queue_watch_name)
        default: rawValue
        }
    }
}
