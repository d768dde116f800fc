import COpenSSL
import Sockeye

/// Random bytes, which cannot be compressed.
enum RandomBytes {
    static func make(_ count: Int) -> Bytes {
        var bytes = [UInt8](repeating: 0, count: count)
        precondition(unsafe RAND_bytes(&bytes, Int32(count)) == 1, "no random bytes")
        return Bytes(bytes)
    }
}
