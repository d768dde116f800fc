/// Who controls a request field: the caller, or the client.
enum FieldOwnership {
    /// Sent as the caller gave it.
    case caller
    /// Goes first, in place of the authority.
    case host
    /// Belongs to the message framing or to this connection: the client writes it where it is due, the caller's copy is
    /// left out (RFC 9110 7.6.1, RFC 9112 6).
    case client
    /// Credentials for a proxy: sent to nobody else (RFC 9110 11.7.2).
    case proxy

    /// The ownership by the name; most names are told apart by their length alone.
    @inline(__always)
    static func of(_ name: UnsafeRawBufferPointer) -> FieldOwnership {
        // A bit set of the lengths below.
        let lengths: UInt32 = 0b1011_0100_0100_1101_0100
        return unsafe name.count < 20 && lengths &>> UInt32(name.count) & 1 != 0 ? find(name) : .caller
    }

    @inline(never)
    private static func find(_ name: UnsafeRawBufferPointer) -> FieldOwnership {
        switch name.count {
        case 2 where unsafe name.matches("te"): .client
        case 4 where unsafe name.matches("host"): .host
        case 6 where unsafe name.matches("expect"): .client
        case 7 where unsafe name.matches("upgrade"): .client
        case 10 where unsafe name.matches("connection") || name.matches("keep-alive"): .client
        case 14 where unsafe name.matches("content-length"): .client
        case 16 where unsafe name.matches("proxy-connection"): .client
        case 17 where unsafe name.matches("transfer-encoding"): .client
        case 19 where unsafe name.matches("proxy-authorization"): .proxy
        default: .caller
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether these bytes are `lowercase`, letters in either case.
    @inline(__always)
    func matches(_ lowercase: StaticString) -> Bool {
        guard let base = baseAddress, count == lowercase.utf8CodeUnitCount else { return false }
        return unsafe ByteScan.equalsIgnoringCase(base, UnsafeRawPointer(lowercase.utf8Start), count: count)
    }

    /// Whether this is a list with a member.
    func lists(_ member: StaticString) -> Bool {
        let bytes = unsafe assumingMemoryBound(to: UInt8.self)
        var scan = unsafe FieldScanner(bytes.span)
        while let range = scan.member() {
            if scan.equals(range, member) { return true }
        }
        return false
    }
}
