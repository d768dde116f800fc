import SockeyeHTTP
import SockeyeTransfers

/// Field values from servers, and fields from callers.
enum FieldTargets {
    /// Encodes a request with arbitrary fields. Unless the encoder refuses the request, its head must have no NUL, no
    /// CR or LF outside line ends, and no surplus lines.
    static let request: FuzzTarget = { bytes in
        var input = FuzzInput(bytes)
        let expects = input.flag()
        let lines = input.text.split(separator: "\u{1}", omittingEmptySubsequences: false)
        guard lines.count >= 3, let url = try? HTTPURL(String(lines[1])) else { return }
        var headers: Headers = [:]
        for line in lines.dropFirst(2) {
            let parts = line.split(separator: "\u{2}", maxSplits: 1, omittingEmptySubsequences: false)
            headers.append(Headers.Name(String(parts[0])), String(parts.last ?? ""))
        }
        let head = RequestHead(
            method: String(lines[0]), target: .url(url), headers: headers, body: .length(3), expectsContinue: expects)
        guard let encoded = try? RequestHeadEncoder.encode(head) else { return }
        check(encoded, fieldCount: headers.count)
        require(headers == headers.merging([:]) && headers.allSatisfy { headers.contains($0.name) }, "fields are lost")
    }

    private static func check(_ head: [UInt8], fieldCount: Int) {
        let ends = head.indices.count { head[$0] == 0x0A && $0 > 0 && head[$0 - 1] == 0x0D }
        require(head.count { $0 == 0x0A } == ends && head.count { $0 == 0x0D } == ends, "a line end inside a field")
        require(!head.contains(0) && head.suffix(4).elementsEqual([13, 10, 13, 10]), "a NUL, or no empty line")
        // The request line, Host and the client's own fields, in addition to the caller's.
        require(ends <= fieldCount + 7, "\(ends) lines for \(fieldCount) fields")
    }

    /// Reads media types, digests, dates, ranges and entity tags. A written value must read as itself.
    static let values: FuzzTarget = { bytes in
        let text = FuzzInput(bytes).text
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if let type = InternetMediaType(text) {
            require(InternetMediaType(type.description) == type, "\(type) changed by writing and reading")
            _ = (type.matches(text), type.matches("*/*"), type.encoding)
        }
        _ = InternetMediaType.extract(from: lines)
        if let range = ContentRange(text) { require(ContentRange(range.description) == range, "\(range)") }
        if let tag = EntityTag(text) { require(EntityTag(tag.description) == tag, "\(tag)") }
        if let validator = StrongValidator(fieldValue: text) {
            require(StrongValidator(fieldValue: validator.fieldValue) == validator, "\(validator)")
        }
        for range in ByteRange.parse(text) ?? [] {
            require(ByteRange.parse(range.fieldValue) == [range], "\(range)")
        }
        _ = (RangeSupport(lines), ContentRange(lines))
        checkDates(lines)
        for checksum in DigestFields.checksums(reprDigest: lines, digest: lines) {
            require(checksum.bytes.count == checksum.algorithm.length, "a digest of another length")
            require(Checksum(checksum.algorithm, hex: checksum.hex) == checksum, "\(checksum)")
        }
    }

    private static func checkDates(_ lines: [String]) {
        for now in [0, 1_700_000_000, 253_402_300_799] as [Int64] {
            let date = HTTPDate(lines[0], now: now)
            require((-62_135_596_800...253_402_300_799).contains(date?.secondsSinceEpoch ?? 0), "\(lines[0])")
            let pause = RetryAfter.pause(lines[0], date: lines.last, now: now)
            require(pause ?? .zero >= .zero, "a negative pause")
        }
    }

    /// Reads Content-Disposition and derives a file name, which must stay inside its folder.
    static let dispositions: FuzzTarget = { bytes in
        let input = FuzzInput(bytes)
        let disposition = ContentDisposition(fieldBytes: input.bytes)
        _ = ContentDisposition(input.text)
        let url = try? HTTPURL("http://host/" + input.text)
        for name in [SuggestedFileName.make(disposition, url: nil), SuggestedFileName.make(nil, url: url)] {
            require(
                (1...SuggestedFileName.maximumLength).contains(name.utf8.count), "a name of \(name.utf8.count) bytes")
            require(!name.utf8.contains { $0 < 0x20 || $0 == 0x2F || $0 == 0x5C || $0 == 0x7F }, "\(name)")
            require(name != "." && name != "..", "a name of a folder")
        }
    }
}
