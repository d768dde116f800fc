/// Obsolete line folding (obs-fold, RFC 9112 5.2): a field value that goes on in lines which begin with a blank.
enum LineFolding {
    /// The head with each fold, and the blanks around it, replaced by one SP.
    ///
    /// - Parameter start: Where the first field line begins, itself without a blank before it.
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

    /// Whether the line that ends before `lineStart` begins a field that tells where the body ends. False of a line that
    /// continues one itself: what it continues was looked at then.
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
