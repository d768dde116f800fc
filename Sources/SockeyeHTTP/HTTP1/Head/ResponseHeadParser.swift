import SockeyePlatform

/// An incremental parser of response heads (RFC 9112 2.1, 4 and 5).
///
/// The caller passes all bytes received so far, each time from the head's first byte. The parser returns a summary once
/// it has seen the empty line. It examines every line once and resumes the search for the next line end where it
/// stopped. Many small reads therefore cost no more than one large read. A fault is usually thrown as soon as its line
/// is complete. A status line that does not begin with `HTTP/1.` is refused earlier, at the first wrong byte.
///
/// If the complete head has folded fields (obs-fold, RFC 9112 5.2), ``LineFolding`` removes the folds, and the head is
/// parsed again. Hardly any server sends folds, so the cost of a second pass is acceptable. Folds in Content-Length and
/// Transfer-Encoding are refused: no server sends them, and an intermediary that reads only the first line of such a
/// field would see the body end elsewhere. A fold before the first field is refused, too.
///
/// ```
/// start ──► statusLine ──► fields ──► (summary)
///   └ one empty line is skipped here (RFC 9112 2.2)
/// ```
package struct ResponseHeadParser: Sendable {
    private enum Stage: Sendable { case start, statusLine, fields }

    private let headBytes: Int
    private let fieldCount: Int
    private let allowsBareLF: Bool
    private var stage = Stage.start
    /// The offset of the first line that is not parsed yet.
    private var lineStart = 0
    /// The offset at which the search for a line end resumes.
    private var searched = 0
    private var summary = ResponseHeadSummary()

    /// - Parameter allowsBareLF: If true, LF alone ends a line; RFC 9112 2.2 leaves this to the recipient.
    package init(limits: HTTP1Limits = HTTP1Limits(), allowsBareLF: Bool = false) {
        self.headBytes = min(limits.headBytes, Int(Int32.max))
        self.fieldCount = limits.fieldCount
        self.allowsBareLF = allowsBareLF
    }

    /// Continues with `input`, which begins at the head's first byte and holds at least the bytes of the previous call.
    /// - Returns: The summary, or nil if more bytes are needed. The body begins at the summary's `byteCount`.
    package mutating func parse(_ input: Span<UInt8>) throws(PeerFault) -> ResponseHeadSummary? {
        try unsafe input.withUnsafeBytes { bytes throws(PeerFault) in
            guard let base = bytes.baseAddress else { return nil }
            return try unsafe parse(base, count: bytes.count)
        }
    }

    /// Returns the fault of a stream that ends now, before or inside the head.
    package func atEndOfStream() -> PeerFault {
        searched == 0 ? .closedBeforeResponse : .truncatedHead(received: searched)
    }

    private mutating func parse(_ base: UnsafeRawPointer, count: Int) throws(PeerFault) -> ResponseHeadSummary? {
        while searched < count {
            if stage == .fields, searched == lineStart { try unsafe takeUsualLines(base, count: count) }
            let found = unsafe SystemMemory.offset(of: ByteClass.lineFeed, in: base, from: searched, to: count)
            guard let lineFeed = found else { break }
            if stage != .fields { try unsafe checkStart(base, end: lineFeed) }
            guard lineFeed < headBytes else { throw .headTooLarge(limit: headBytes) }
            let end = try unsafe contentEnd(base, lineFeed: lineFeed)
            searched = lineFeed + 1
            if end > lineStart || stage == .statusLine {
                try unsafe parseLine(base, end: end)
            } else if stage == .start {
                stage = .statusLine
            } else {
                summary.byteCount = searched
                if summary.hasFolds { try unsafe readUnfolded(base) }
                return summary
            }
            lineStart = searched
        }
        searched = count
        if stage != .fields { try unsafe checkStart(base, end: count) }
        guard count < headBytes else { throw .headTooLarge(limit: headBytes) }
        return nil
    }

    /// Parses the next field lines by the fast path, up to the first line that the fast path does not handle.
    @inline(__always)
    private mutating func takeUsualLines(_ base: UnsafeRawPointer, count: Int) throws(PeerFault) {
        var start = lineStart
        while let line = unsafe FieldLine.usual(base, start: start, count: count) {
            let lineFeed = line.valueEnd &+ 1
            guard lineFeed < headBytes else { throw .headTooLarge(limit: headBytes) }
            try unsafe take(line, base)
            start = lineFeed &+ 1
        }
        (lineStart, searched) = (start, start)
    }

    @inline(__always)
    private mutating func take(_ line: FieldLine, _ base: UnsafeRawPointer) throws(PeerFault) {
        guard summary.fieldCount < fieldCount else { throw .tooManyFields(limit: fieldCount) }
        summary.fieldCount &+= 1
        if line.hasControls { summary.hasControls = true }
        try unsafe summary.note(base, line)
    }

    /// Returns the end of the line's content, before its CRLF or tolerated LF.
    @inline(__always)
    private mutating func contentEnd(_ base: UnsafeRawPointer, lineFeed: Int) throws(PeerFault) -> Int {
        if lineFeed > lineStart, unsafe base.byte(lineFeed - 1) == ByteClass.carriageReturn { return lineFeed - 1 }
        guard allowsBareLF else { throw .bareLF }
        summary.hasBareLF = true
        return lineFeed
    }

    @inline(__always)
    private mutating func parseLine(_ base: UnsafeRawPointer, end: Int) throws(PeerFault) {
        if stage == .fields {
            let line: FieldLine
            do throws(PeerFault) {
                line = try unsafe FieldLine.parse(base, start: lineStart, end: end)
            } catch {
                return try unsafe continueField(base, end: end, after: error)
            }
            try unsafe take(line, base)
        } else {
            try unsafe parseStatusLine(base, end: end)
            summary.fieldsStart = searched
            stage = .fields
        }
    }

    /// Takes a line that begins with a blank as a continuation of the previous field; throws `fault` if that is not
    /// possible. CR and NUL are refused at once. The unfolded field is checked when the head is complete.
    @inline(never)
    private mutating func continueField(
        _ base: UnsafeRawPointer, end: Int, after fault: PeerFault
    ) throws(PeerFault) {
        guard fault == .obsFold, summary.fieldCount > 0,
            unsafe !LineFolding.isFramingField(base, before: lineStart, from: summary.fieldsStart)
        else { throw fault }
        _ = try unsafe FieldLine.checkControls(base, from: lineStart, to: end)
        summary.hasFolds = true
    }

    /// Parses a complete head again without its folds. Unfolding never lengthens a head, so the same limits apply.
    @inline(never)
    private mutating func readUnfolded(_ base: UnsafeRawPointer) throws(PeerFault) {
        let head = unsafe UnsafeRawBufferPointer(start: base, count: summary.byteCount)
        let unfolded = unsafe LineFolding.unfold(head, from: summary.fieldsStart)
        var limits = HTTP1Limits()
        limits.headBytes = headBytes
        limits.fieldCount = fieldCount
        var parser = ResponseHeadParser(limits: limits, allowsBareLF: allowsBareLF)
        guard var read = try parser.parse(unfolded.span), !read.hasFolds else { throw .obsFold }
        read.byteCount = summary.byteCount
        read.hasFolds = true
        // A bare LF before a fold was removed together with the fold, so only the first pass has seen it.
        read.hasBareLF = read.hasBareLF || summary.hasBareLF
        summary = read
    }

    /// Compares the bytes of the status line received so far with `HTTP/1.`, so that other protocols fail at once.
    /// Bytes beyond the size limit of the head are ignored. Otherwise the fault could depend on the size of a read:
    /// `headTooLarge` after a small read up to the limit, `badStatusLine` after a larger one.
    private func checkStart(_ base: UnsafeRawPointer, end: Int) throws(PeerFault) {
        let end = min(end, headBytes)
        guard end > lineStart else { return }
        if stage == .start, unsafe base.byte(lineStart) == ByteClass.carriageReturn {
            // Only the empty line that may precede the status line can begin with CR.
            if end > lineStart + 1 { throw .bareCR }
            return
        }
        let expected = unsafe UnsafeRawPointer(("HTTP/1." as StaticString).utf8Start)
        for index in 0..<min(7, end - lineStart) where unsafe base.byte(lineStart + index) != expected.byte(index) {
            throw unsafe index == 5 && ByteClass.isDigit(base.byte(lineStart + index))
                ? .unsupportedVersion : .badStatusLine
        }
    }

    /// Parses `HTTP/1.` DIGIT SP 3DIGIT [ SP reason ]. RFC 9112 4 requires the last SP even without a reason; many
    /// servers omit it.
    private mutating func parseStatusLine(_ base: UnsafeRawPointer, end: Int) throws(PeerFault) {
        let start = lineStart
        guard end >= start + 12, unsafe ByteClass.isDigit(base.byte(start + 7)),
            unsafe base.byte(start + 8) == ByteClass.space
        else {
            throw .badStatusLine
        }
        var status = 0
        for index in (start + 9)..<(start + 12) {
            guard unsafe ByteClass.isDigit(base.byte(index)) else { throw .badStatusLine }
            status = unsafe status * 10 + Int(base.byte(index) - 0x30)
        }
        let reason = min(start + 13, end)
        if reason > start + 12, unsafe base.byte(start + 12) != ByteClass.space { throw .badStatusLine }
        guard status >= 100 else { throw .badStatusCode(status) }
        var control = unsafe ByteScan.firstControl(base, from: reason, to: end)
        while control < end {
            switch unsafe base.byte(control) {
            case ByteClass.horizontalTab: break
            case ByteClass.carriageReturn: throw .bareCR
            case 0: throw .nulInHead
            default: throw .badStatusLine
            }
            control = unsafe ByteScan.firstControl(base, from: control + 1, to: end)
        }
        summary.minorVersion = unsafe Int(base.byte(start + 7) - 0x30)
        summary.status = status
        summary.reason = reason..<end
    }
}

/// Obsolete line folding (obs-fold, RFC 9112 5.2): a field value that continues on lines which begin with a blank.
enum LineFolding {
    /// Returns the head with one SP in place of each fold and the blanks around it.
    ///
    /// - Parameter start: The offset of the first field line, which must not begin with a blank.
    static func unfold(_ head: UnsafeRawBufferPointer, from start: Int) -> [UInt8] {
        var unfolded: [UInt8] = []
        unfolded.reserveCapacity(head.count)
        unsafe unfolded.append(contentsOf: head[..<start])
        var index = start
        while index < head.count {
            let byte = unsafe head[index]
            unfolded.append(byte)
            index += 1
            guard byte == ByteClass.lineFeed, unsafe index < head.count && ByteClass.isBlank(head[index]) else {
                continue
            }
            unfolded.removeLast()
            if unfolded.last == ByteClass.carriageReturn { unfolded.removeLast() }
            while let last = unfolded.last, ByteClass.isBlank(last) { unfolded.removeLast() }
            while unsafe index < head.count && ByteClass.isBlank(head[index]) { index += 1 }
            unfolded.append(ByteClass.space)
        }
        return unfolded
    }

    /// True if the line before `lineStart` begins a Content-Length or Transfer-Encoding field. False if that line is
    /// itself a continuation, because the field was checked at its first fold.
    static func isFramingField(_ base: UnsafeRawPointer, before lineStart: Int, from fieldsStart: Int) -> Bool {
        var start = lineStart - 1
        while start > fieldsStart, unsafe base.byte(start - 1) != ByteClass.lineFeed { start -= 1 }
        var colon = start
        while colon < lineStart, unsafe base.byte(colon) != UInt8(ascii: ":") { colon += 1 }
        switch colon - start {
        case 14: return unsafe ByteScan.equals(base + start, count: 14, "content-length")
        case 17: return unsafe ByteScan.equals(base + start, count: 17, "transfer-encoding")
        default: return false
        }
    }
}
