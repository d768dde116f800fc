import CSockeyeSystem
import Glibc

/// `sendfile` without the signal that it raises when the peer is gone.
enum FileSending {
    /// Copies from the system's cache of a file to a socket. A negative result comes with the code of the failure.
    ///
    /// Unlike `send` it has no flag against SIGPIPE (RULE 57), so the signal is held back in this thread and, if it came
    /// by this call, taken before anybody sees it. It may also come by a call that succeeds in part: the peer was there for
    /// the first pages and gone for the next. Two or three short system calls for up to a megabyte of file.
    static func send(from file: Int32, at offset: Int, count: Int, to socket: Int32) -> (sent: Int, code: Int32) {
        var pipe = sigset_t()
        var previous = sigset_t()
        unsafe sigemptyset(&pipe)
        unsafe sigaddset(&pipe, SIGPIPE)
        unsafe pthread_sigmask(SIG_BLOCK, &pipe, &previous)
        let wasBlocked = unsafe sigismember(&previous, SIGPIPE) == 1
        let wasPending = wasBlocked && isPipeSignalPending
        var position = off_t(offset)
        let sent = unsafe sendfile(socket, file, &position, count)
        let code = errno
        if sent < 0 ? code == EPIPE : sent < count, !wasPending {
            var none = timespec()
            unsafe sigtimedwait(&pipe, nil, &none)
        }
        if !wasBlocked { unsafe pthread_sigmask(SIG_SETMASK, &previous, nil) }
        return (sent, code)
    }

    private static var isPipeSignalPending: Bool {
        var pending = sigset_t()
        unsafe sigpending(&pending)
        return unsafe sigismember(&pending, SIGPIPE) == 1
    }

    /// Whether a failure says that this file cannot be sent this way. Reading it tells what is the matter, if anything.
    static func isFault(ofFile code: Int32) -> Bool {
        [EINVAL, ENOSYS, EOPNOTSUPP, ESPIPE, EOVERFLOW, EIO, ESTALE, EPERM, EACCES].contains(code)
    }
}
