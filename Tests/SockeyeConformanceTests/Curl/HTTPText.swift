import SockeyeCore

/// A message, parsed as far as the tests compare it.
struct HTTPText: Sendable {
    /// The first line without its end.
    var start = ""
    var fields: [(name: String, value: String)] = []
    var body: [UInt8] = []

    /// The values of a field, in order.
    func values(_ name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    /// The method and the target of a request line.
    var method: String { start.split(separator: " ").first.map(String.init) ?? "" }
    var target: String { start.split(separator: " ").dropFirst().first.map(String.init) ?? "" }

    var isChunked: Bool { values("transfer-encoding").contains { $0.lowercased().contains("chunked") } }
    var length: Int? { values("content-length").first.flatMap { Int($0) } }
    /// The status code of a response.
    var status: Int? { Int(start.split(separator: " ").dropFirst().first ?? "") }

    /// Reads a head from the front of `bytes`, with lines that end in CRLF or LF. Returns nil if there is no head.
    static func takeHead(from bytes: inout ArraySlice<UInt8>) -> HTTPText? {
        guard !bytes.isEmpty else { return nil }
        var text = HTTPText()
        var isFirst = true
        while let line = takeLine(from: &bytes) {
            if line.isEmpty { return isFirst ? nil : text }
            let line = String(decoding: line, as: UTF8.self)
            if isFirst {
                text.start = line
            } else if let colon = line.firstIndex(of: ":") {
                let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
                text.fields.append((String(line[..<colon]), String(value)))
            }
            isFirst = false
        }
        return isFirst ? nil : text
    }

    /// Returns the final response of a reply, without interim ones. Its body is everything after the head.
    static func response(_ bytes: Bytes) -> HTTPText? {
        var rest = Array(bytes)[...]
        while var head = takeHead(from: &rest) {
            if let status = head.status, (100..<200).contains(status), status != 101, !rest.isEmpty { continue }
            head.body = Array(rest)
            return head
        }
        return nil
    }

    /// Returns the requests of a recording, in order.
    static func requests(_ bytes: [UInt8], bodyIsHeldBack: Bool) -> [HTTPText] {
        var rest = bytes[...]
        var requests: [HTTPText] = []
        while var request = takeHead(from: &rest) {
            if request.isChunked {
                request.body = takeChunks(from: &rest)
            } else if let length = request.length, !(bodyIsHeldBack && !request.values("expect").isEmpty) {
                request.body = Array(rest.prefix(length))
                rest = rest.dropFirst(length)
            }
            requests.append(request)
        }
        return requests
    }

    private static func takeLine(from bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let end = bytes.firstIndex(of: 10) else {
            defer { bytes = [] }
            return bytes.isEmpty ? nil : bytes
        }
        let line = bytes[..<end]
        bytes = bytes[(end + 1)...]
        return line.last == 13 ? line.dropLast() : line
    }

    private static func takeChunks(from bytes: inout ArraySlice<UInt8>) -> [UInt8] {
        var body: [UInt8] = []
        while let line = takeLine(from: &bytes), let count = Int(String(decoding: line, as: UTF8.self), radix: 16) {
            body += bytes.prefix(count)
            bytes = bytes.dropFirst(count)
            _ = takeLine(from: &bytes)
            if count == 0 { break }
        }
        return body
    }

    /// Returns a reply with CRLF after every line of its heads, because a strict client accepts no bare LF there.
    static func withProperLineEnds(_ reply: Bytes) -> Bytes {
        var rest = Array(reply)[...]
        var output: [UInt8] = []
        while true {
            var status = ""
            while let line = takeLine(from: &rest) {
                if status.isEmpty { status = String(decoding: line, as: UTF8.self) }
                output += line + [13, 10]
                if line.isEmpty { break }
            }
            guard status.contains(" 1"), status.hasPrefix("HTTP/1.1 1"), !rest.isEmpty else { break }
        }
        return Bytes(output + rest)
    }
}

extension Bytes {
    /// True if a head at the front has lines that end in LF alone.
    var hasBareLineFeeds: Bool { !isEmpty && HTTPText.withProperLineEnds(self) != self }
}
