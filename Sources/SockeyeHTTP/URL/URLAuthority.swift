/// The authority of a URL taken apart: user information, host and port (RFC 3986, 3.2).
struct URLAuthority {
    let userInfo: String?
    let host: Host
    /// Nil where the URL names none.
    let port: UInt16?

    init(_ bytes: ArraySlice<UInt8>) throws(URLFault) {
        var rest = bytes
        if let at = bytes.lastIndex(of: 0x40) {
            userInfo = try Self.userInfo(bytes[..<at])
            rest = bytes[(at + 1)...]
        } else {
            userInfo = nil
        }
        // In brackets colons belong to the address.
        let bracket = rest.first == 0x5B ? rest.firstIndex(of: 0x5D) ?? rest.startIndex : rest.startIndex
        let colon = rest[bracket...].firstIndex(of: 0x3A)
        do {
            host = try Host(rest[..<(colon ?? rest.endIndex)])
        } catch {
            throw URLFault(error, at: rest.startIndex)
        }
        port = try colon.map { (colon) throws(URLFault) in try Self.port(rest[(colon + 1)...]) } ?? nil
    }

    /// The percent-encoded form; nil for `@` and `:@`, which carry nothing.
    private static func userInfo(_ bytes: ArraySlice<UInt8>) throws(URLFault) -> String? {
        // Most parsers end the user information at the last "@", some at the first: they would see different hosts.
        if let at = bytes.firstIndex(of: 0x40) { throw URLFault(.userInfo, at: at) }
        let decoded = PercentEncoding.decode(bytes)
        guard String(validating: decoded, as: UTF8.self) != nil, !decoded.contains(where: ASCIISet.controls.contains)
        else {
            throw URLFault(.userInfo, at: bytes.startIndex)
        }
        var output: [UInt8] = []
        let colon = bytes.firstIndex(of: 0x3A) ?? bytes.endIndex
        PercentEncoding.append(bytes[..<colon], encoding: PercentEncoding.userInfo, to: &output)
        if colon < bytes.endIndex {
            output.append(0x3A)
            PercentEncoding.append(bytes[(colon + 1)...], encoding: PercentEncoding.userInfo, to: &output)
        }
        return output.isEmpty || output == [0x3A] ? nil : String(decoding: output, as: UTF8.self)
    }

    /// `http://host:/` is the default port (RFC 3986, 3.2.3), so nil.
    private static func port(_ digits: ArraySlice<UInt8>) throws(URLFault) -> UInt16? {
        var value: UInt32 = 0
        for byte in digits {
            guard case 0x30...0x39 = byte else { throw URLFault(.port, at: digits.startIndex) }
            value = value * 10 + UInt32(byte - 0x30)
            guard value <= 65_535 else { throw URLFault(.port, at: digits.startIndex) }
        }
        guard value > 0 || digits.isEmpty else { throw URLFault(.port, at: digits.startIndex) }
        return digits.isEmpty ? nil : UInt16(value)
    }
}
