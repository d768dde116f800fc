import Sockeye
import SockeyeHTTP

/// Replaces the boundaries of multipart requests with fixed ones, so that recordings with random boundaries do not
/// differ between runs. In nested content, at most eight boundaries are replaced.
enum MultipartNormalization {
    private static let parameter = Array("boundary=".utf8)
    private static let prefix = "recorded-boundary"
    /// The minimum length in bytes of a boundary whose text is unlikely to occur elsewhere in the content. A shorter
    /// outer boundary is replaced only after `--`, as in delimiters. A shorter nested boundary stays: it is too
    /// short to be random.
    private static let minimumLength = 8

    static func normalized(_ request: RecordedExchange.Request) -> RecordedExchange.Request {
        guard let type = request.mediaType, type.type == "multipart", let outer = type["boundary"], !outer.isEmpty
        else {
            return request
        }
        var request = request
        var body = Array(request.body)
        var boundaries = [outer]
        // Nested multipart content names its boundary in the fields of a part.
        for boundary in nested(in: body) where !boundaries.contains(boundary) { boundaries.append(boundary) }
        // The longest boundary comes first because a shorter one may be its prefix.
        for (index, boundary) in boundaries.enumerated().sorted(by: { $0.element.utf8.count > $1.element.utf8.count }) {
            let mark = boundary.utf8.count < minimumLength ? "--" : ""
            let name = index == 0 ? prefix : "\(prefix)-\(index)"
            body = replacing(Array((mark + boundary).utf8), with: Array((mark + name).utf8), in: body)
        }
        if let value = request.headers[.contentType] {
            request.headers[.contentType] = renamed(outer, in: Array(value.utf8))
        }
        request.body = Bytes(body)
        return request
    }

    /// Returns the value of a Content-Type field with ``prefix`` as its boundary.
    private static func renamed(_ boundary: String, in value: [UInt8]) -> String {
        var value = value
        if let start = find(parameter, in: lowercased(value), from: 0),
            let place = find(Array(boundary.utf8), in: value, from: start + parameter.count)
        {
            value.replaceSubrange(place..<place + boundary.utf8.count, with: prefix.utf8)
        }
        return String(decoding: value, as: UTF8.self)
    }

    /// Parameter names are case-insensitive (RFC 9110 5.6.6).
    private static func lowercased(_ bytes: [UInt8]) -> [UInt8] {
        bytes.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
    }

    /// Returns the values of the `boundary=` parameters in a body: the first eight of at least ``minimumLength`` bytes.
    private static func nested(in body: [UInt8]) -> [String] {
        var found: [String] = []
        var position = 0
        let names = lowercased(body)
        while found.count < 8, let start = find(parameter, in: names, from: position) {
            var rest = body[(start + parameter.count)...]
            if rest.first == UInt8(ascii: "\"") { rest = rest.dropFirst() }
            let value = rest.prefix { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: ";") }
            if value.count >= minimumLength { found.append(String(decoding: value, as: UTF8.self)) }
            position = value.endIndex
        }
        return found
    }

    private static func replacing(_ pattern: [UInt8], with substitute: [UInt8], in bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var position = 0
        while let start = find(pattern, in: bytes, from: position) {
            result += bytes[position..<start] + substitute
            position = start + pattern.count
        }
        return result + bytes[position...]
    }

    private static func find(_ pattern: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        guard let first = pattern.first, bytes.count - start >= pattern.count else { return nil }
        var position = start
        while let next = bytes[position...(bytes.count - pattern.count)].firstIndex(of: first) {
            if bytes[next..<next + pattern.count].elementsEqual(pattern) { return next }
            position = next + 1
            guard position <= bytes.count - pattern.count else { return nil }
        }
        return nil
    }
}
