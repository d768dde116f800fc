/// The encoder of request heads. It checks the method, the protocols of Upgrade, and a target or Host that does not
/// come from an ``HTTPURL`` (RFC 9112 3). Other fields were checked when they were added to ``Headers`` (RFC 9110 5.1
/// and 5.5).
///
/// The order is: request line, Host, the caller's fields, the client's defaults, then the fields that only the client
/// sets (Connection, TE, Upgrade, Content-Length or Transfer-Encoding, Expect). Host and the fields that only the
/// client sets are never sent twice.
package enum RequestHeadEncoder {
    /// Returns a buffer size that suffices for the head.
    package static func sizeBound(_ head: borrowing RequestHead, defaults: DefaultFields? = nil) -> Int {
        // 256 suffices for the fixed text of the request line and Host, and for all fields that only the client sets,
        // except the value of Upgrade.
        var size = 256 + head.method.utf8.count + head.target.count
        size += head.headers.byteCount + (defaults?.sizeBound ?? 0)
        if let upgrade = head.upgrade { size += upgrade.utf8.count }
        return size
    }

    /// Writes the head to the start of `buffer`.
    ///
    /// - Parameter defaults: The client's default fields. Each is sent only if the request has no field of that name.
    /// - Returns: The number of bytes written; nil if the buffer is smaller than ``sizeBound(_:defaults:)``.
    package static func encode(
        _ head: borrowing RequestHead,
        defaults: DefaultFields? = nil,
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(RequestFault) -> Int? {
        guard buffer.count >= sizeBound(head, defaults: defaults) else { return nil }
        var writer = unsafe ByteWriter(buffer)
        try putRequestLine(head, to: &writer)
        try putHost(head, to: &writer)
        try putFields(head, to: &writer)
        if let defaults { try put(defaults, besides: head.headers, to: &writer) }
        try putConnection(head, to: &writer)
        try putFraming(head, to: &writer)
        writer.put("\r\n")
        return writer.count
    }

    /// Appends further field lines to an encoded head. The lines were checked when they were made.
    ///
    /// - Parameter count: The number of bytes of the head at the start of `buffer`, which must have room for the lines.
    /// - Returns: The number of bytes of the longer head.
    package static func add(
        _ fields: borrowing FieldLineBuffer, toHeadOf count: Int, in buffer: UnsafeMutableRawBufferPointer
    ) -> Int {
        // The new lines replace the empty line at the head's end.
        let start = count - 2
        var writer = unsafe ByteWriter(UnsafeMutableRawBufferPointer(rebasing: buffer[start...]))
        fields.put(to: &writer)
        writer.put("\r\n")
        return start + writer.count
    }

    /// Returns the head as an array.
    package static func encode(
        _ head: borrowing RequestHead, defaults: DefaultFields? = nil
    ) throws(RequestFault) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: sizeBound(head, defaults: defaults))
        var span = bytes.mutableSpan
        let count = try unsafe span.withUnsafeMutableBytes { buffer throws(RequestFault) in
            try unsafe encode(head, defaults: defaults, into: buffer)
        }
        bytes.removeLast(bytes.count - (count ?? 0))
        return bytes
    }

    /// Writes the defaults: all in one copy if the request overrides none of them, otherwise only the fields that are
    /// not overridden, one by one.
    @inline(__always)
    private static func put(
        _ defaults: DefaultFields, besides headers: Headers, to writer: inout ByteWriter
    ) throws(RequestFault) {
        if let encoded = defaults.encoded, !headers.storage.containsAny(of: defaults.fields.storage) {
            unsafe encoded.withUnsafeBytes { unsafe writer.put($0) }
        } else {
            try putMissing(defaults.fields, besides: headers, to: &writer)
        }
    }

    @inline(never)
    private static func putMissing(
        _ defaults: Headers, besides headers: Headers, to writer: inout ByteWriter
    ) throws(RequestFault) {
        for index in defaults.indices {
            let entry = defaults.storage[index]
            let isOverridden = unsafe defaults.storage.withBytes(entry.name) { unsafe headers.storage.contains($0) }
            if !isOverridden { try put(entry, of: defaults, to: &writer) }
        }
    }

    /// Writes the caller's fields. Leaves out Host and the fields that only the client sets. Proxy-Authorization is
    /// written only if the recipient is a proxy. Throws if a field is invalid.
    ///
    /// Each of these special or invalid fields got a flag when it was added (``FieldFlags``). If no field has a
    /// flag, all fields are written in one copy.
    @inline(__always)
    private static func putFields(_ head: borrowing RequestHead, to writer: inout ByteWriter) throws(RequestFault) {
        if head.headers.storage.flags.isEmpty {
            unsafe head.headers.storage.withLines { unsafe writer.put($0) }
        } else {
            try putOwn(head.headers, isSentToProxy: head.isSentToProxy, to: &writer)
        }
    }

    @inline(never)
    private static func putOwn(
        _ headers: Headers, isSentToProxy: Bool, to writer: inout ByteWriter
    ) throws(RequestFault) {
        let leftOut: FieldFlags = isSentToProxy ? [.host, .client] : [.host, .client, .proxy]
        for index in headers.indices {
            let entry = headers.storage[index]
            if entry.flags.isDisjoint(with: leftOut) { try put(entry, of: headers, to: &writer) }
        }
    }

    private static func put(
        _ entry: FieldEntry, of headers: Headers, to writer: inout ByteWriter
    ) throws(RequestFault) {
        if let fault = headers.fault(of: entry) { throw fault }
        unsafe headers.storage.withBytes(entry.line) { unsafe writer.put($0) }
    }

    @inline(__always)
    private static func putRequestLine(
        _ head: borrowing RequestHead,
        to writer: inout ByteWriter
    ) throws(RequestFault) {
        let isMethod = unsafe ByteScan.withBytes(of: head.method.utf8) { unsafe writer.put($0, all: ByteClass.isToken) }
        guard isMethod else { throw .invalidMethod }
        writer.put(" ")
        let kind = head.kind
        let isChecked = head.target.isChecked
        let isTarget = unsafe head.target.withTarget { target in
            guard unsafe isForm(target, of: kind) else { return false }
            guard isChecked else { return unsafe writer.put(target, all: ByteClass.isTarget) }
            unsafe writer.put(target)
            return true
        }
        guard isTarget else { throw .invalidTarget }
        writer.put(" HTTP/1.1\r\n")
    }

    /// True if the target has a form that suits the method (RFC 9112 3.2).
    private static func isForm(_ target: UnsafeRawBufferPointer, of kind: MethodKind) -> Bool {
        guard let base = target.baseAddress, let first = unsafe target.first else { return false }
        if kind == .connect { return unsafe target.allSatisfy(ByteClass.isAuthority) }
        if first == UInt8(ascii: "/") { return true }
        if first == UInt8(ascii: "*") { return target.count == 1 && kind == .options }
        let (http, https) = ("http://" as StaticString, "https://" as StaticString)
        return unsafe target.count > 7 && ByteScan.equals(base, count: 7, http)
            || target.count > 8 && ByteScan.equals(base, count: 8, https)
    }

    /// Writes exactly one Host, as the first field (RFC 9112 3.2): the caller's, or else the target's authority.
    @inline(__always)
    private static func putHost(_ head: borrowing RequestHead, to writer: inout ByteWriter) throws(RequestFault) {
        writer.put("Host: ")
        if head.headers.storage.flags.contains(.host) {
            try putHost(of: head.headers, to: &writer)
        } else {
            let isChecked = head.target.isChecked
            let isHost = unsafe head.target.withAuthority { authority in
                guard isChecked else { return unsafe writer.put(authority, all: ByteClass.isAuthority) }
                unsafe writer.put(authority)
                return true
            }
            guard isHost else { throw .invalidAuthority }
        }
        writer.put("\r\n")
    }

    @inline(never)
    private static func putHost(of headers: Headers, to writer: inout ByteWriter) throws(RequestFault) {
        var isFirst = true
        for index in headers.indices where headers.storage[index].flags.contains(.host) {
            guard isFirst else { throw .repeatedField(.host) }
            isFirst = false
            let value = headers.storage[index].value
            let isHost = unsafe headers.storage.withBytes(value) { unsafe writer.put($0, all: ByteClass.isAuthority) }
            guard isHost else { throw .malformedFieldValue(.host) }
        }
    }

    @inline(__always)
    private static func putConnection(_ head: borrowing RequestHead, to writer: inout ByteWriter) throws(RequestFault) {
        // TE concerns one connection only, so Connection must list it (RFC 9110 10.1.4).
        let asksForTrailers = head.headers.storage.flags.contains(.client) && head.headers.asksForTrailers
        guard head.upgrade != nil || head.closesConnection || asksForTrailers else { return }
        try putConnection(head, asksForTrailers: asksForTrailers, to: &writer)
    }

    @inline(never)
    private static func putConnection(
        _ head: borrowing RequestHead, asksForTrailers: Bool, to writer: inout ByteWriter
    ) throws(RequestFault) {
        var separator: StaticString = "Connection: "
        func putOption(_ option: StaticString, if isSet: Bool) {
            guard isSet else { return }
            writer.put(separator)
            writer.put(option)
            separator = ", "
        }
        putOption("upgrade", if: head.upgrade != nil)
        putOption("TE", if: asksForTrailers)
        putOption("close", if: head.closesConnection)
        writer.put("\r\n")
        if asksForTrailers { writer.put("TE: trailers\r\n") }
        guard let upgrade = head.upgrade else { return }
        writer.put("Upgrade: ")
        let isProtocol = unsafe ByteScan.withBytes(of: upgrade.utf8) { bytes in
            unsafe writer.put(bytes) { ByteClass.isToken($0) || $0 == 0x2F || $0 == 0x2C || $0 == 0x20 }
        }
        guard isProtocol else { throw .malformedFieldValue(.upgrade) }
        writer.put("\r\n")
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
