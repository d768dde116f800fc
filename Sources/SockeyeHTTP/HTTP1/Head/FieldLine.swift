/// The parts of one field line, as offsets from the start of the bytes it was found in.
struct FieldLine {
    let nameStart: Int
    let nameEnd: Int
    let valueStart: Int
    /// Behind the last byte of the value that is no blank.
    let valueEnd: Int
    /// Whether the value holds control bytes other than HTAB. They are let through, as RFC 9110 5.5 allows, and read
    /// as blanks by everybody above.
    let hasControls: Bool

    /// Takes the line in `start..<end`, its line end left out, apart and refuses what RFC 9112 5 does not allow.
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

    /// The value, in the bytes that the line was found in.
    @inline(__always)
    func value(_ base: UnsafeRawPointer) -> UnsafeBufferPointer<UInt8> {
        unsafe UnsafeRawBufferPointer(start: base + valueStart, count: valueEnd &- valueStart)
            .assumingMemoryBound(to: UInt8.self)
    }

    /// Refuses CR and NUL in a value, and says whether there are other control bytes than HTAB.
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

    /// Says why the name that stops at `stop` is none.
    @inline(never)
    private static func nameFault(_ base: UnsafeRawPointer, start: Int, stop: Int, end: Int) -> PeerFault {
        guard stop < end else { return .badFieldName }
        switch unsafe base.byte(stop) {
        case ByteClass.carriageReturn: return .bareCR
        case 0: return .nulInHead
        case ByteClass.space, ByteClass.horizontalTab:
            guard stop > start else { return .obsFold }
            var next = stop
            while next < end, unsafe ByteClass.isBlank(base.byte(next)) { next += 1 }
            return unsafe next < end && base.byte(next) == UInt8(ascii: ":") ? .whitespaceBeforeColon : .badFieldName
        default: return .badFieldName
        }
    }
}
