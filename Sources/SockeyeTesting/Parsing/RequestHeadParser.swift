import SockeyeCore
import SockeyeHTTP

/// A strict parser of request heads (RFC 9112 sections 2 to 6). It rejects invalid heads even where RFC 9112 lets
/// servers be lenient, so that a test server does not hide a client's mistakes.
struct RequestHeadParser {
    /// The maximum length of a head in bytes.
    static let limit = 256 << 10

    /// The number of bytes already searched without finding the end of the head.
    private var searched = 0

    /// Looks for a complete head at the start of `buffer`.
    ///
    /// - Returns: The length of the head and the parsed head; nil if more bytes are needed.
    mutating func parse(_ buffer: UnsafeRawBufferPointer) throws(MalformedRequest) -> (
        count: Int, head: ReceivedRequestHead
    )? {
        if unsafe buffer.first == .carriageReturn || buffer.first == .lineFeed {
            throw MalformedRequest("an empty line before the request line")
        }
        guard let end = unsafe HeadLines.end(of: buffer, from: searched) else {
            searched = max(0, buffer.count - 2)
            guard buffer.count <= Self.limit else { throw Self.tooLarge }
            return nil
        }
        searched = 0
        guard end <= Self.limit else { throw Self.tooLarge }
        let section = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<end])
        var head = ReceivedRequestHead()
        let fieldsStart = try unsafe Self.parseRequestLine(section, into: &head)
        head.lines = try unsafe HeadLines.parse(section, from: fieldsStart)
        try unsafe Self.interpret(section, &head)
        head.bytes = unsafe Bytes(copying: section)
        return (end, head)
    }

    private static var tooLarge: MalformedRequest { MalformedRequest("a head of more than \(limit) bytes") }

    private static func parseRequestLine(
        _ section: UnsafeRawBufferPointer, into head: inout ReceivedRequestHead
    ) throws(MalformedRequest) -> Int {
        guard let end = unsafe section.firstIndex(of: .lineFeed), end > 0, unsafe section[end - 1] == .carriageReturn
        else {
            throw MalformedRequest("a request line that does not end in CRLF")
        }
        let line = unsafe section[..<(end - 1)]
        guard let first = unsafe line.firstIndex(of: .space), let last = unsafe line.lastIndex(of: .space), first < last
        else {
            throw MalformedRequest("a request line without three parts")
        }
        let method = unsafe line[..<first]
        let target = unsafe line[(first + 1)..<last]
        guard unsafe !method.isEmpty, unsafe method.allSatisfy(\.isTokenByte) else {
            throw MalformedRequest("a method that is not a token")
        }
        guard unsafe !target.isEmpty, unsafe target.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw MalformedRequest("a target that is empty or has bytes other than visible ASCII")
        }
        let version = unsafe line[(last + 1)...]
        switch true {
        case unsafe version.elementsEqual("HTTP/1.1".utf8): head.minorVersion = 1
        case unsafe version.elementsEqual("HTTP/1.0".utf8): head.minorVersion = 0
        default: throw MalformedRequest("a version other than HTTP/1.1 and HTTP/1.0")
        }
        head.method = unsafe String(decoding: method, as: UTF8.self)
        head.target = unsafe String(decoding: target, as: UTF8.self)
        try checkForm(of: head)
        return end + 1
    }

    /// Checks that the target has one of the four forms and fits the method (RFC 9112 section 3.2).
    private static func checkForm(of head: ReceivedRequestHead) throws(MalformedRequest) {
        let isValid =
            switch head.method {
            case "CONNECT": !head.target.hasPrefix("/") && head.target.contains(":")
            case "OPTIONS" where head.target == "*": true
            default: head.target.hasPrefix("/") || head.target.contains("://")
            }
        guard isValid else {
            let target = SecretItemMask(mark: "***").masking(url: head.target)
            throw MalformedRequest("the target \(target) does not fit \(head.method)")
        }
        guard !head.target.contains("#") else { throw MalformedRequest("a fragment in the target") }
    }

    /// Reads and checks the fields Host, Content-Length, Transfer-Encoding, Expect and Connection.
    private static func interpret(
        _ section: UnsafeRawBufferPointer, _ head: inout ReceivedRequestHead
    ) throws(MalformedRequest) {
        var hosts = 0
        var length: Int?
        var isChunked = false
        for line in head.lines {
            let value = unsafe section[line.value]
            switch unsafe section[line.name] {
            case let name where unsafe name.matches(lowercase: "host"): hosts += 1
            case let name where unsafe name.matches(lowercase: "content-length"):
                guard length == nil else { throw MalformedRequest("two Content-Length fields") }
                length = unsafe try parseLength(value)
            case let name where unsafe name.matches(lowercase: "transfer-encoding"):
                guard !isChunked, head.minorVersion == 1, unsafe value.matches(lowercase: "chunked") else {
                    throw MalformedRequest("a Transfer-Encoding that is repeated, is not 'chunked', or is in HTTP/1.0")
                }
                isChunked = true
            case let name where unsafe name.matches(lowercase: "expect"):
                head.expectsContinue = unsafe value.matches(lowercase: "100-continue")
            case let name where unsafe name.matches(lowercase: "connection"):
                let options = unsafe value.split(separator: .comma)
                for index in unsafe options.indices {
                    let option = unsafe options[index].trimmingBlanks
                    if unsafe option.matches(lowercase: "close") { head.asksToClose = true }
                    if unsafe option.matches(lowercase: "keep-alive") { head.asksToKeepAlive = true }
                }
            default: break
            }
        }
        if hosts > 1 || (hosts == 0 && head.minorVersion == 1) { throw MalformedRequest("\(hosts) Host fields") }
        if isChunked && length != nil { throw MalformedRequest("both Content-Length and Transfer-Encoding") }
        head.framing = isChunked ? .chunked : length.map { .length($0) } ?? .none
    }

    private static func parseLength(_ value: Slice<UnsafeRawBufferPointer>) throws(MalformedRequest) -> Int {
        guard unsafe !value.isEmpty, unsafe value.count <= 18, unsafe value.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 })
        else {
            throw MalformedRequest("a Content-Length that is not a number of at most 18 digits")
        }
        return unsafe value.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}
