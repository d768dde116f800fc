import Glibc

/// `sendfile` without the signal that it raises when the peer is gone.
enum FileSending {
    /// Copies from the system's cache of a file to a socket. A negative result comes with the code of the failure. Two or
    /// three short system calls besides, for up to a megabyte of file.
    static func send(from file: Int32, at offset: Int, count: Int, to socket: Int32) -> (sent: Int, code: Int32) {
        PipeSignal.withheld {
            var position = off_t(offset)
            let sent = unsafe sendfile(socket, file, &position, count)
            return (sent, errno)
        } mayHaveCome: { sent, code in
            sent < 0 ? code == EPIPE : sent < count
        }
    }

    /// Whether a failure says that this file cannot be sent this way. Reading it tells what is the matter, if anything.
    static func isFault(ofFile code: Int32) -> Bool {
        [EINVAL, ENOSYS, EOPNOTSUPP, ESPIPE, EOVERFLOW, EIO, ESTALE, EPERM, EACCES].contains(code)
    }
}
