import SockeyePlatform

/// The parts of one field line, as offsets into the bytes of the head or trailer section that holds it.
struct FieldLine {
    let nameStart: Int
    let nameEnd: Int
    let valueStart: Int
    /// The offset after the value's last byte that is not a blank.
    let valueEnd: Int
    /// True if the value has control bytes other than HTAB. The parser throws on CR and NUL. It accepts the other
    /// control bytes, as RFC 9110 5.5 allows, and the layers above replace them with blanks. Always false for a line of
    /// ``FieldLines``, which does not examine values.
    let hasControls: Bool

    /// Parses the line in `start..<end`, without its line end. Throws on anything that RFC 9112 5 does not allow,
    /// except for the control bytes that ``hasControls`` reports.
    @inline(__always)
    static func parse(_ base: UnsafeRawPointer, start: Int, end: Int) throws(PeerFault) -> FieldLine {
        var colon = start
        while colon < end, unsafe ByteClass.isToken(base.byte(colon)) { colon &+= 1 }
        guard colon > start, colon < end, unsafe base.byte(colon) == UInt8(ascii: ":") else {
            throw unsafe nameFault(base, start: start, stop: colon, end: end)
        }
        var valueStart = colon &+ 1
        while valueStart < end, unsafe ByteClass.isBlank(base.byte(valueStart)) { valueStart &+= 1 }
        let hasControls = try unsafe checkControls(base, from: valueStart, to: end)
        var valueEnd = end
        while valueEnd > valueStart, unsafe ByteClass.isBlank(base.byte(valueEnd &- 1)) { valueEnd &-= 1 }
        return FieldLine(
            nameStart: start, nameEnd: colon, valueStart: valueStart, valueEnd: valueEnd, hasControls: hasControls
        )
    }

    /// The fast path: parses the line at `start` if it is complete with its CRLF and has the usual form. The usual form
    /// is a name of letters, digits and hyphens, at most one SP before the value, no SP after it, and no control bytes.
    /// Nil for all other lines, and sometimes for a usual line that ends in the last 7 of the `count` bytes. In both
    /// cases the caller must use ``parse(_:start:end:)``.
    ///
    /// Examines 16 bytes (SIMD) or 8 bytes (SWAR) at a time. One search both finds the end of the line and excludes
    /// other control bytes: the first control byte after the name must be the line's CR. The function reads whole
    /// blocks and words, but never beyond the first `count` bytes.
    @inline(__always)
    static func usual(_ base: UnsafeRawPointer, start: Int, count: Int) -> FieldLine? {
        let colon = unsafe ByteScan.firstUnusualInNames(base, from: start, to: count)
        guard let colon, colon > start, colon &+ 1 < count, unsafe base.byte(colon) == UInt8(ascii: ":") else {
            return nil
        }
        let valueStart = unsafe base.byte(colon &+ 1) == ByteClass.space ? colon &+ 2 : colon &+ 1
        guard let end = unsafe ByteScan.firstControlInWords(base, from: valueStart, to: count), end &+ 1 < count,
            unsafe base.byte(end) == ByteClass.carriageReturn, unsafe base.byte(end &+ 1) == ByteClass.lineFeed
        else { return nil }
        if end > valueStart {
            guard unsafe base.byte(valueStart) != ByteClass.space, unsafe base.byte(end &- 1) != ByteClass.space else {
                return nil
            }
        }
        return FieldLine(nameStart: start, nameEnd: colon, valueStart: valueStart, valueEnd: end, hasControls: false)
    }

    /// Returns the value as a slice of the bytes that the line was found in.
    @inline(__always)
    func value(_ base: UnsafeRawPointer) -> UnsafeBufferPointer<UInt8> {
        unsafe UnsafeRawBufferPointer(start: base + valueStart, count: valueEnd &- valueStart)
            .assumingMemoryBound(to: UInt8.self)
    }

    /// Throws if a value has CR or NUL. Returns true if it has control bytes other than HTAB.
    @inline(__always)
    static func checkControls(_ base: UnsafeRawPointer, from start: Int, to end: Int) throws(PeerFault) -> Bool {
        var control = unsafe ByteScan.firstControl(base, from: start, to: end)
        var hasControls = false
        while control < end {
            switch unsafe base.byte(control) {
            case ByteClass.horizontalTab: break
            case ByteClass.carriageReturn: throw .bareCR
            case 0: throw .nulInHead
            default: hasControls = true
            }
            control = unsafe ByteScan.firstControl(base, from: control &+ 1, to: end)
        }
        return hasControls
    }

    /// Returns the reason why the bytes from `start` are not a valid field name followed by a colon. `stop` is the
    /// offset of the first byte that is not a token character.
    @inline(never)
    private static func nameFault(_ base: UnsafeRawPointer, start: Int, stop: Int, end: Int) -> PeerFault {
        let name = unsafe UnsafeRawBufferPointer(start: base + start, count: end - start)
        // A function, so that the name is copied only for the faults that show it. `obsFold` does not show it, and
        // `ResponseHeadParser` may catch thousands of `obsFold` faults in one head.
        func badName() -> PeerFault {
            unsafe .badFieldName(FieldNameExcerpt(name.prefix { $0 != UInt8(ascii: ":") }))
        }
        guard stop < end else { return badName() }
        switch unsafe base.byte(stop) {
        case ByteClass.carriageReturn: return .bareCR
        case 0: return .nulInHead
        case ByteClass.space, ByteClass.horizontalTab:
            guard stop > start else { return .obsFold }
            var next = stop
            while next < end, unsafe ByteClass.isBlank(base.byte(next)) { next += 1 }
            return unsafe next < end && base.byte(next) == UInt8(ascii: ":") ? .whitespaceBeforeColon : badName()
        default: return badName()
        }
    }
}

/// An iterator over the field lines of a validated section.
///
/// It splits lines without validating them. In a section that was not validated it may end early, but it never reads
/// out of bounds.
@safe struct FieldLines {
    private let bytes: UnsafeRawBufferPointer
    private var index: Int

    init(_ bytes: UnsafeRawBufferPointer, from start: Int) {
        unsafe self.bytes = unsafe bytes
        self.index = start
    }

    mutating func next() -> FieldLine? {
        guard let (start, end) = nextLine(), let base = unsafe bytes.baseAddress else { return nil }
        var colon = start
        while colon < end, unsafe base.byte(colon) != UInt8(ascii: ":") { colon &+= 1 }
        guard colon > start, colon < end else { return nil }
        return unsafe Self.split(base, start: start, colon: colon, end: end)
    }

    /// Returns the next line with this name, ignoring case.
    mutating func next(named name: UnsafeRawBufferPointer) -> FieldLine? {
        guard let base = unsafe bytes.baseAddress, let wanted = name.baseAddress, name.count > 0 else { return nil }
        while let (start, end) = nextLine() {
            let colon = start &+ name.count
            guard colon < end, unsafe base.byte(colon) == UInt8(ascii: ":"),
                unsafe ByteScan.equalsIgnoringCase(base + start, wanted, count: name.count)
            else { continue }
            return unsafe Self.split(base, start: start, colon: colon, end: end)
        }
        return nil
    }

    /// Returns the bounds of the next line, without its line end.
    @inline(__always)
    private mutating func nextLine() -> (start: Int, end: Int)? {
        guard let base = unsafe bytes.baseAddress, unsafe index < bytes.count,
            let end = unsafe SystemMemory.offset(of: ByteClass.lineFeed, in: base, from: index, to: bytes.count)
        else { return nil }
        let start = index
        index = end &+ 1
        return unsafe (start, end > start && base.byte(end &- 1) == ByteClass.carriageReturn ? end &- 1 : end)
    }

    @inline(__always)
    private static func split(_ base: UnsafeRawPointer, start: Int, colon: Int, end: Int) -> FieldLine {
        var valueStart = colon &+ 1
        var valueEnd = end
        while valueStart < valueEnd, unsafe ByteClass.isBlank(base.byte(valueStart)) { valueStart &+= 1 }
        while valueEnd > valueStart, unsafe ByteClass.isBlank(base.byte(valueEnd &- 1)) { valueEnd &-= 1 }
        return FieldLine(
            nameStart: start, nameEnd: colon, valueStart: valueStart, valueEnd: valueEnd, hasControls: false
        )
    }
}
