/// The system calls whose failure is reported.
package enum SystemCall: String, Sendable, Hashable {
    case socket, connect, bind, listen, accept, recv, send, sendmsg, sendfile, shutdown, setsockopt, getsockname
    case open, fstat, pread, epollCreate = "epoll_create1", epollControl = "epoll_ctl", eventfd, pthreadCreate =
        "pthread_create"
}
