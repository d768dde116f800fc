import COpenSSL
import SockeyePlatform

/// Kernel TLS (kTLS, since Linux 4.13 and FreeBSD 13) through OpenSSL's own socket BIO.
///
/// The BIO hands the keys of a direction to the kernel, which then processes the records of that direction. Until then,
/// ``StreamBIO`` reads or writes the data of that direction without this BIO. If the kernel, OpenSSL or the cipher does
/// not support kernel TLS, ``StreamBIO`` continues to do so.
@safe final class KernelTLS {
    private let bio: OpaquePointer

    /// Creates the BIO; nil if OpenSSL lacks memory. The BIO does not close the socket.
    init?(socket: Int32) {
        guard let bio = unsafe BIO_new_socket(socket, BIO_NOCLOSE) else { return nil }
        unsafe self.bio = unsafe bio
    }

    deinit {
        unsafe BIO_free(bio)
    }

    /// True if the kernel encrypts sent data.
    var isSending: Bool { unsafe BIO_ctrl(bio, BIO_CTRL_GET_KTLS_SEND, 0, nil) > 0 }
    /// True if the kernel decrypts received data.
    var isReceiving: Bool { unsafe BIO_ctrl(bio, BIO_CTRL_GET_KTLS_RECV, 0, nil) > 0 }

    /// Passes a control command of OpenSSL to the BIO, for example to set the keys of a direction.
    func control(_ command: Int32, _ number: Int, _ pointer: UnsafeMutableRawPointer?) -> Int {
        unsafe BIO_ctrl(bio, command, number, pointer)
    }

    /// Reads a whole decrypted record. OpenSSL's BIO puts a record header before it, because OpenSSL expects a header.
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

    /// Writes a handshake message or an alert, with the record type that OpenSSL has set. Application data does not
    /// pass through this method: ``TLSEngine`` writes it directly to the socket.
    func write(_ buffer: UnsafeRawBufferPointer) -> Transfer {
        while true {
            var count = 0
            let (result, error) = PipeSignal.suppressed { () -> (Int32, SystemError) in
                (unsafe BIO_write_ex(bio, buffer.baseAddress, buffer.count, &count), SystemError.last)
            } mayHaveCome: { _, _ in
                // The kernel may have raised SIGPIPE even if the call returned a number of bytes or an error other than
                // EPIPE.
                true
            }
            if result == 1 { return .bytes(count) }
            if error == .wouldBlock { return .wouldBlock(.write) }
            if error != .interrupted { return .failed(.failed(.send, error)) }
        }
    }
}
