/// Path normalisation: removes dot segments (RFC 3986, 5.2.4) and percent-encodes unsafe characters.
///
/// A segment of dots is recognised in its escaped form too (`%2e%2E`): servers decode unreserved characters, so leaving
/// it would let a reference climb further than it seems to. A backslash is a slash here, as it is for browsers and many
/// servers; the host is settled by then.
enum PathNormalizer {
    /// Appends the segments of `path` after what `output` holds of the path from `pathStart` on (a kept part of a base
    /// path, without its last segment and slash). The result has at least `/`.
    static func append(_ path: ArraySlice<UInt8>, to output: inout [UInt8], pathStart: Int) {
        var rest = path
        if let first = rest.first, isSlash(first) { rest.removeFirst() }
        while true {
            let end = rest.firstIndex(where: isSlash) ?? rest.endIndex
            appendSegment(rest[..<end], isLast: end == rest.endIndex, to: &output, pathStart: pathStart)
            guard end < rest.endIndex else { return }
            rest = rest[(end + 1)...]
        }
    }

    private static func isSlash(_ byte: UInt8) -> Bool { byte == 0x2F || byte == 0x5C }

    private static func appendSegment(
        _ segment: ArraySlice<UInt8>, isLast: Bool, to output: inout [UInt8], pathStart: Int
    ) {
        switch dots(segment) {
        case 1:
            if isLast { output.append(0x2F) }
        case 2:
            if let slash = output[pathStart...].lastIndex(of: 0x2F) { output.removeSubrange(slash...) }
            if isLast { output.append(0x2F) }
        default:
            output.append(0x2F)
            PercentEncoding.append(segment, encoding: PercentEncoding.path, to: &output)
        }
    }

    /// 1 or 2 for `.` and `..`, escaped or not, else 0.
    private static func dots(_ segment: ArraySlice<UInt8>) -> Int {
        guard let first = segment.first, first == 0x2E || first == 0x25, segment.count <= 6 else { return 0 }
        var rest = segment
        var count = 0
        while let byte = rest.popFirst() {
            if byte == 0x25 {
                guard rest.popFirst() == 0x32, let digit = rest.popFirst(), digit | 0x20 == 0x65 else { return 0 }
            } else if byte != 0x2E {
                return 0
            }
            count += 1
        }
        return count <= 2 ? count : 0
    }
}
