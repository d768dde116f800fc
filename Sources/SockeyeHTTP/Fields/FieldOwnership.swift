/// Who decides about a request field.
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

    /// Most names differ in length from all of ours.
    @inline(__always)
    static func of(_ name: UnsafeRawBufferPointer) -> FieldOwnership {
        // A bit for each of the lengths below.
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

extension Headers {
    /// Whether `Connection: close` is among the fields, so that the exchange can be told to be the connection's last.
    package var asksToClose: Bool {
        lists("close", in: "connection")
    }

    /// Whether `Expect: 100-continue` is among the fields: the wish of a caller who did not use the option for it.
    package var asksForContinue: Bool {
        lists("100-continue", in: "expect")
    }

    /// Whether `TE: trailers` is among the fields: the wish of a caller who reads trailers (RFC 9110 10.1.4). Other transfer
    /// codings are not this client's to ask for.
    package var asksForTrailers: Bool {
        lists("trailers", in: "te")
    }

    /// For names that only the client writes.
    private func lists(_ member: StaticString, in name: StaticString) -> Bool {
        guard storage.marks.contains(.client) else { return false }
        return indices.contains { index in
            let entry = storage[index]
            return unsafe storage.withBytes(entry.name) { unsafe $0.matches(name) }
                && storage.withBytes(entry.value) { unsafe $0.lists(member) }
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether these bytes are `lowercase`, letters in either case.
    @inline(__always)
    fileprivate func matches(_ lowercase: StaticString) -> Bool {
        guard let base = baseAddress, count == lowercase.utf8CodeUnitCount else { return false }
        return unsafe ByteScan.equalsIgnoringCase(base, UnsafeRawPointer(lowercase.utf8Start), count: count)
    }

    /// Whether this is a list with a member.
    fileprivate func lists(_ member: StaticString) -> Bool {
        let bytes = unsafe assumingMemoryBound(to: UInt8.self)
        var scan = unsafe FieldScanner(bytes.span)
        while let range = scan.member() {
            if scan.equals(range, member) { return true }
        }
        return false
    }
}
