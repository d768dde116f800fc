/// Who decides about a request field.
enum FieldOwnership {
    /// Sent as the caller gave it.
    case caller
    /// Goes first, in place of the authority.
    case host
    /// Belongs to the message framing or to this connection: the client writes it where it is due, the caller's copy is
    /// left out (RFC 9110 7.6.1, RULES 4 and 8).
    case client
    /// Credentials for a proxy: sent to nobody else (RULE 50).
    case proxy

    /// Most names differ in length from all of ours.
    @inline(__always)
    static func of(_ name: borrowing FieldName) -> FieldOwnership {
        switch name.text.utf8.count {
        case 2 where name.matches("te"): .client
        case 4 where name.matches("host"): .host
        case 6 where name.matches("expect"): .client
        case 7 where name.matches("upgrade"): .client
        case 10 where name.matches("connection") || name.matches("keep-alive"): .client
        case 14 where name.matches("content-length"): .client
        case 16 where name.matches("proxy-connection"): .client
        case 17 where name.matches("transfer-encoding"): .client
        case 19 where name.matches("proxy-authorization"): .proxy
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

    private func lists(_ member: StaticString, in name: StaticString) -> Bool {
        for field in fields where field.name.matches(name) {
            let found = ByteScan.withBytes(of: field.value.utf8) { bytes in
                guard let base = bytes.baseAddress else { return false }
                var members = ListMembers(base, from: 0, to: bytes.count)
                while let range = members.next() {
                    if ByteScan.equals(base + range.lowerBound, count: range.count, member) { return true }
                }
                return false
            }
            if found { return true }
        }
        return false
    }
}
