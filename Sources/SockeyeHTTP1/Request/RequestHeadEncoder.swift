/// Writes a request head in one pass, checking while it copies (RFC 9112 3, RFC 9110 5.1 and 5.5).
///
/// The order is: request line, Host, the caller's fields, the client's defaults, then what the client owns (Connection,
/// Upgrade, Expect, Content-Length or Transfer-Encoding), so there is never a second copy of any of these.
package enum RequestHeadEncoder {
    /// Enough bytes for the head. Reads lengths only.
    package static func sizeBound(_ head: borrowing RequestHead, defaults: DefaultFields? = nil) -> Int {
        // 256: the request line's and Host's literals and every field the client owns, at their longest.
        var size = 256 + head.method.utf8.count + head.target.count
        size += head.headers.byteCount + (defaults?.sizeBound ?? 0)
        if let upgrade = head.upgrade { size += upgrade.utf8.count }
        return size
    }

    /// As ``sizeBound(_:defaults:)``, for those who have not made the head yet; CONNECT included.
    package static func sizeBound(
        method: String, url: HTTPURL, headers: Headers, defaults: DefaultFields, upgrade: String?
    ) -> Int {
        256 + method.utf8.count + 2 * url.text.utf8.count + headers.byteCount + defaults.sizeBound
            + (upgrade?.utf8.count ?? 0)
    }

    /// Writes the head to the start of `buffer`, which may be memory on the stack (a temporary allocation of the standard
    /// library stays there up to 1 024 bytes).
    /// - Parameter defaults: The client's fields, each sent only when the request has none of that name.
    /// - Returns: How many bytes were written, or nil when the buffer is smaller than ``sizeBound(_:defaults:)``.
    package static func encode(
        _ head: borrowing RequestHead,
        defaults: DefaultFields? = nil,
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(RequestFault) -> Int? {
        guard buffer.count >= sizeBound(head, defaults: defaults) else { return nil }
        var writer = ByteWriter(buffer)
        try putRequestLine(head, to: &writer)
        try putHost(head, to: &writer)
        // Spans, so that no field is retained on the way.
        let fields = head.headers.fields.span
        for index in fields.indices {
            let ownership = FieldOwnership.of(fields[index].name)
            guard ownership == .caller || ownership == .proxy && head.isForProxy else { continue }
            if let fault = writer.put(field: fields[index]) { throw fault }
        }
        if let defaults { try put(defaults, besides: fields, to: &writer) }
        try putConnection(head, to: &writer)
        try putFraming(head, to: &writer)
        writer.put("\r\n")
        return writer.count
    }

    /// Writes further field lines, which were checked when they were made, behind those of a head.
    ///
    /// Apart from writing the head, for which they need not be looked at then: most requests have none.
    /// - Parameter count: The bytes of the head, at the start of `buffer`, which has room for the lines as well.
    /// - Returns: The bytes of the longer head.
    package static func add(
        _ fields: borrowing AddedFields, toHeadOf count: Int, in buffer: UnsafeMutableRawBufferPointer
    ) -> Int {
        // In place of the empty line at its end.
        let start = count - 2
        var writer = ByteWriter(UnsafeMutableRawBufferPointer(rebasing: buffer[start...]))
        fields.put(to: &writer)
        writer.put("\r\n")
        return start + writer.count
    }

    /// The head as bytes of its own, where no buffer is at hand.
    package static func encode(
        _ head: borrowing RequestHead, defaults: DefaultFields? = nil
    ) throws(RequestFault) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: sizeBound(head, defaults: defaults))
        var span = bytes.mutableSpan
        let count = try span.withUnsafeMutableBytes { buffer throws(RequestFault) in
            try encode(head, defaults: defaults, into: buffer)
        }
        bytes.removeLast(bytes.count - (count ?? 0))
        return bytes
    }

    /// All of the defaults in one copy, or, where the request has some of their names, those that it lacks.
    @inline(__always)
    private static func put(
        _ defaults: DefaultFields, besides fields: Span<Headers.Field>, to writer: inout ByteWriter
    ) throws(RequestFault) {
        let lines = defaults.fields.fields
        var isOverridden = false
        for index in lines.indices where contains(lines[index].name, fields) { isOverridden = true }
        if !isOverridden, let encoded = defaults.encoded {
            encoded.withUnsafeBytes { writer.put($0) }
            return
        }
        for index in lines.indices where !contains(lines[index].name, fields) {
            if let fault = writer.put(field: lines[index]) { throw fault }
        }
    }

    @inline(__always)
    private static func contains(_ name: FieldName, _ fields: Span<Headers.Field>) -> Bool {
        for index in fields.indices where fields[index].name == name { return true }
        return false
    }

    @inline(__always)
    private static func putRequestLine(
        _ head: borrowing RequestHead,
        to writer: inout ByteWriter
    ) throws(RequestFault) {
        let isMethod = ByteScan.withBytes(of: head.method.utf8) { writer.put($0, all: ByteClass.isToken) }
        guard isMethod else { throw .invalidMethod }
        writer.put(" ")
        let kind = head.kind
        let isTarget = head.target.withTarget { target in
            isForm(target, of: kind) && writer.put(target, all: ByteClass.isTarget)
        }
        guard isTarget else { throw .invalidTarget }
        writer.put(" HTTP/1.1\r\n")
    }

    /// Whether a target is in one of the four forms, and in the right one (RFC 9112 3.2).
    private static func isForm(_ target: UnsafeRawBufferPointer, of kind: MethodKind) -> Bool {
        guard let base = target.baseAddress, let first = target.first else { return false }
        if kind == .connect { return target.allSatisfy(ByteClass.isAuthority) }
        if first == UInt8(ascii: "/") { return true }
        if first == UInt8(ascii: "*") { return target.count == 1 && kind == .options }
        let (http, https) = ("http://" as StaticString, "https://" as StaticString)
        return target.count > 7 && ByteScan.equals(base, count: 7, http)
            || target.count > 8 && ByteScan.equals(base, count: 8, https)
    }

    /// Exactly one Host, first (RFC 9112 3.2): the caller's if there is one, else the target's authority.
    @inline(__always)
    private static func putHost(_ head: borrowing RequestHead, to writer: inout ByteWriter) throws(RequestFault) {
        writer.put("Host: ")
        var isOverridden = false
        let fields = head.headers.fields.span
        for index in fields.indices where FieldOwnership.of(fields[index].name) == .host {
            guard !isOverridden else { throw .repeatedField(.host) }
            isOverridden = true
            let isHost = ByteScan.withBytes(of: fields[index].value.utf8) { writer.put($0, all: ByteClass.isAuthority) }
            guard isHost else { throw .invalidFieldValue(.host) }
        }
        if !isOverridden {
            let isHost = head.target.withAuthority { writer.put($0, all: ByteClass.isAuthority) }
            guard isHost else { throw .invalidAuthority }
        }
        writer.put("\r\n")
    }

    @inline(__always)
    private static func putConnection(_ head: borrowing RequestHead, to writer: inout ByteWriter) throws(RequestFault) {
        if let upgrade = head.upgrade {
            writer.put(head.closesConnection ? "Connection: upgrade, close\r\n" : "Connection: upgrade\r\n")
            writer.put("Upgrade: ")
            let isProtocol = ByteScan.withBytes(of: upgrade.utf8) { bytes in
                writer.put(bytes) { ByteClass.isToken($0) || $0 == 0x2F || $0 == 0x2C || $0 == 0x20 }
            }
            guard isProtocol else { throw .invalidFieldValue(.upgrade) }
            writer.put("\r\n")
        } else if head.closesConnection {
            writer.put("Connection: close\r\n")
        }
    }

    @inline(__always)
    private static func putFraming(_ head: borrowing RequestHead, to writer: inout ByteWriter) throws(RequestFault) {
        switch head.body {
        case .none, .length(0):
            if head.kind.announcesEmptyBody { writer.put("Content-Length: 0\r\n") }
            return
        case .length(let count):
            guard count > 0 else { throw .invalidLength }
            guard head.kind.allowsBody else { throw .bodyNotAllowed }
            writer.put("Content-Length: ")
            writer.put(decimal: count)
            writer.put("\r\n")
        case .chunked:
            guard head.kind.allowsBody else { throw .bodyNotAllowed }
            writer.put("Transfer-Encoding: chunked\r\n")
        }
        if head.expectsContinue { writer.put("Expect: 100-continue\r\n") }
    }
}
