#if AsyncDNS
/// The read position within the messages that a name server sends over a TCP connection. A length of two bytes precedes
/// each message (RFC 1035 4.2.2).
///
/// Some versions of c-ares read the length and the message separately, others read all bytes that have arrived. So one
/// read may bring a part of a message, or several messages.
struct NameServerStream {
    /// The number of bytes of the current message that have not been read.
    private var rest = 0
    /// True if the length of the current message has been read, but no byte of the message.
    private var isAtStart = false
    /// The first byte of a message's length, until the second byte has been read.
    private var firstLengthByte: UInt8?

    /// Advances by the bytes of one read. Calls `body` for each message whose first byte is in this read, with the
    /// part of the message that is in this read. Parts in later reads are skipped, because callers need only the start
    /// of a message.
    mutating func advance(by bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
        var position = 0
        while position < bytes.count {
            if rest > 0 {
                let count = min(rest, bytes.count - position)
                if isAtStart { unsafe body(UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])) }
                isAtStart = false
                rest -= count
                position += count
            } else {
                let byte = unsafe bytes[position]
                position += 1
                guard let first = firstLengthByte.take() else {
                    firstLengthByte = byte
                    continue
                }
                rest = Int(first) << 8 | Int(byte)
                isAtStart = true
            }
        }
    }
}
#endif
