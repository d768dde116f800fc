import COpenSSL
import SockeyePlatform

/// Kernel TLS (kTLS, the `tls` upper layer protocol of Linux 4.13 and later): OpenSSL's own BIO of a socket, which hands the
/// keys of a direction to the kernel and moves its records from then on.
///
/// Unused until OpenSSL has handed keys over, and where kernel, OpenSSL or cipher do not support it.
@safe final class KernelTLS {
    private let bio: OpaquePointer

    /// Asks the kernel for the protocol; that it has none is no failure. The socket stays its owner's to close.
    init?(socket: Int32) {
        guard let bio = unsafe BIO_new_socket(socket, BIO_NOCLOSE) else { return nil }
        unsafe self.bio = unsafe bio
    }

    deinit {
        unsafe BIO_free(bio)
    }

    /// Whether the kernel encrypts what is sent.
    var isSending: Bool { unsafe BIO_ctrl(bio, BIO_CTRL_GET_KTLS_SEND, 0, nil) > 0 }
    /// Whether the kernel decrypts what is received.
    var isReceiving: Bool { unsafe BIO_ctrl(bio, BIO_CTRL_GET_KTLS_RECV, 0, nil) > 0 }

    /// What OpenSSL asks of the socket, such as to take keys.
    func control(_ command: Int32, _ number: Int, _ pointer: UnsafeMutableRawPointer?) -> Int {
        unsafe BIO_ctrl(bio, command, number, pointer)
    }

    /// A whole record, decrypted, behind a header that OpenSSL makes up for itself.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
        while true {
            var count = 0
            if unsafe BIO_read_ex(bio, buffer.baseAddress, buffer.count, &count) == 1 { return .bytes(count) }
            let error = SystemError.last
            if unsafe BIO_ctrl(bio, BIO_CTRL_EOF, 0, nil) == 1 { return .end }
            if error == .wouldBlock { return .wouldBlock(.read) }
            if error != .interrupted { return .failed(.failed(.recv, error)) }
        }
    }

    /// Content, or a message of TLS's own: OpenSSL has said which.
    func write(_ buffer: UnsafeRawBufferPointer) -> Transfer {
        while true {
            var count = 0
            let (result, error) = PipeSignal.withheld { () -> (Int32, SystemError) in
                (unsafe BIO_write_ex(bio, buffer.baseAddress, buffer.count, &count), SystemError.last)
            } mayHaveCome: { result, error in
                result != 1 && error == .brokenPipe
            }
            if result == 1 { return .bytes(count) }
            if error == .wouldBlock { return .wouldBlock(.write) }
            if error != .interrupted { return .failed(.failed(.send, error)) }
        }
    }
}
