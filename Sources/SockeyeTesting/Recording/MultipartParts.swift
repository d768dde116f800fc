import SockeyeHTTP

/// The parts of a multipart body (RFC 2046 5.1.1). Contents can be replaced; delimiters and part headers stay, except
/// for the value of Content-Length.
///
/// This parser accepts more than `MultipartReader` of SockeyeStreams does: lines may end with LF, and the closing
/// delimiter may be missing. A recording may contain such bodies, and secrets in them must be masked too.
struct MultipartParts {
    /// The parsed header fields of a part, as far as the masking of secrets needs them.
    struct Head {
        /// The form field names of the part. A well-formed part has at most one name.
        var names: [String] = []
        var mediaType: InternetMediaType?
        /// The digits of a Content-Length field, as offsets into the body; nil without such a field.
        var length: Range<Int>?
    }

    /// `--` followed by the boundary.
    private let delimiter: [UInt8]

    init(boundary: String) {
        delimiter = Array("--\(boundary)".utf8)
    }

    /// Returns the body with each part's content replaced by the result of `rewrite`, and with the part's
    /// Content-Length adjusted. A part without content is unchanged.
    func rewriting(_ body: [UInt8], _ rewrite: (Head, [UInt8]) -> [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        var copied = 0
        for part in parts(of: body) {
            let (head, start) = Self.head(of: body[part])
            guard start < part.upperBound else { continue }
            let content = Array(body[start..<part.upperBound])
            let new = rewrite(head, content)
            guard new != content else { continue }
            if let length = head.length {
                output += body[copied..<length.lowerBound] + Array(String(new.count).utf8)
                copied = length.upperBound
            }
            output += body[copied..<start] + new
            copied = part.upperBound
        }
        return output + body[copied...]
    }

    // MARK: Delimiters

    /// Returns the ranges of the parts, including their headers. The line end before a delimiter belongs to the
    /// delimiter.
    private func parts(of body: [UInt8]) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        var start: Int?
        var position = 0
        while position < body.count {
            let end = body[position...].firstIndex(of: 0x0A).map { $0 + 1 } ?? body.count
            if let isLast = isLastDelimiter(body[position..<end]) {
                if let start { parts.append(start..<max(start, Self.withoutLineEnd(body, position))) }
                start = isLast ? nil : end
                if isLast { return parts }
            }
            position = end
        }
        if let start { parts.append(start..<body.count) }
        return parts
    }

    /// Returns true if a line is the delimiter that ends the body, false if it is another delimiter, and nil otherwise.
    private func isLastDelimiter(_ line: ArraySlice<UInt8>) -> Bool? {
        guard line.starts(with: delimiter) else { return nil }
        let rest = line.dropFirst(delimiter.count)
        if rest.starts(with: "--".utf8) { return true }
        return rest.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D || $0 == 0x0A } ? false : nil
    }

    private static func withoutLineEnd(_ body: [UInt8], _ position: Int) -> Int {
        guard position > 0, body[position - 1] == 0x0A else { return position }
        return position > 1 && body[position - 2] == 0x0D ? position - 2 : position - 1
    }

    // MARK: Heads

    /// Parses the header fields of a part and returns them with the offset of its content.
    private static func head(of part: ArraySlice<UInt8>) -> (Head, content: Int) {
        var head = Head()
        var field = part.startIndex..<part.startIndex
        var position = part.startIndex
        while position < part.endIndex {
            let end = part[position...].firstIndex(of: 0x0A).map { $0 + 1 } ?? part.endIndex
            let line = part[position..<end]
            let isContinued = line.first == 0x20 || line.first == 0x09
            if !isContinued {
                read(part[field], into: &head)
                field = position..<position
            }
            if line.allSatisfy({ $0 == 0x0D || $0 == 0x0A }) { return (head, end) }
            field = field.lowerBound..<end
            position = end
        }
        return (head, part.endIndex)
    }

    /// Parses a field together with its continuation lines.
    private static func read(_ field: ArraySlice<UInt8>, into head: inout Head) {
        guard let colon = field.firstIndex(of: 0x3A) else { return }
        let value = text(of: field[(colon + 1)...])
        switch Headers.Name(text(of: field[..<colon])) {
        case "Content-Disposition":
            if let name = FormDisposition(parsing: value)?.name { head.names.append(name) }
        case .contentType: head.mediaType = InternetMediaType(value)
        case .contentLength:
            let digits = field.indices.filter { $0 > colon && 0x30...0x39 ~= field[$0] }
            if let first = digits.first, let last = digits.last { head.length = first..<last + 1 }
        default: break
        }
    }

    /// Returns a name or value without surrounding whitespace; line ends inside it become spaces.
    private static func text(of bytes: ArraySlice<UInt8>) -> String {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A }
        guard let last = bytes.lastIndex(where: { !isBlank($0) }) else { return "" }
        let trimmed = bytes[...last].drop(while: isBlank)
        return String(decoding: trimmed.map { isBlank($0) ? 0x20 : $0 }, as: UTF8.self)
    }
}
