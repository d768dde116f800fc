/// A buffer of text that is written, percent-encoded, from left to right.
///
/// Queries are short and encoded for each request, so the memory is the caller's stack where that suffices; that is why
/// there are pointers here. All writes go through ``reserve(_:)``, which makes room for as much as follows it.
@safe struct ByteWriter: ~Copyable {
    private var memory: UnsafeMutableBufferPointer<UInt8>
    private var isOwner: Bool
    private(set) var count = 0

    /// Starts in `memory`, which the caller keeps until this writer is gone.
    init(startingIn memory: UnsafeMutableBufferPointer<UInt8>) {
        unsafe self.memory = unsafe memory
        isOwner = false
    }

    init() {
        unsafe memory = unsafe UnsafeMutableBufferPointer(start: nil, count: 0)
        isOwner = false
    }

    deinit {
        if isOwner { unsafe memory.deallocate() }
    }

    /// What was written, which is ASCII.
    var text: String { unsafe String(decoding: UnsafeBufferPointer(rebasing: memory[..<count]), as: UTF8.self) }

    mutating func append(_ byte: UInt8) {
        reserve(1)
        unsafe memory[count] = byte
        count += 1
    }

    mutating func append(_ other: borrowing ByteWriter) {
        reserve(other.count)
        guard other.count > 0 else { return }
        _ = unsafe UnsafeMutableBufferPointer(rebasing: memory[count...]).update(
            fromContentsOf: other.memory[..<other.count])
        count += other.count
    }

    /// Cuts off what was written last.
    mutating func truncate(to count: Int) {
        self.count = min(self.count, count)
    }

    /// Appends text percent-encoded: each of its bytes becomes one or three.
    mutating func append(_ text: String, spaces: ParameterStyle.SpaceFormat) {
        let source = text.utf8Span.span
        reserve(3 * source.count + 8)
        guard let start = unsafe memory.baseAddress else { return }
        count = unsafe PercentEscaping.write(source, spaces: spaces, to: start + count) - start
    }

    /// Appends `name=value` percent-encoded, behind `&` unless it is the first pair.
    mutating func append(_ name: String, _ value: String, isFirst: Bool, spaces: ParameterStyle.SpaceFormat) {
        let (name, value) = (name.utf8Span.span, value.utf8Span.span)
        reserve(3 * (name.count + value.count) + 10)
        guard let start = unsafe memory.baseAddress else { return }
        var end = unsafe start + count
        if !isFirst {
            unsafe end.pointee = UInt8(ascii: "&")
            unsafe end += 1
        }
        unsafe end = unsafe PercentEscaping.write(name, spaces: spaces, to: end)
        unsafe end.pointee = UInt8(ascii: "=")
        unsafe end = unsafe PercentEscaping.write(value, spaces: spaces, to: end + 1)
        count = unsafe end - start
    }

    /// Makes room for so many more bytes.
    @inline(__always)
    private mutating func reserve(_ additional: Int) {
        if unsafe memory.count - count < additional { grow(by: additional) }
    }

    @inline(never)
    private mutating func grow(by additional: Int) {
        let larger = unsafe UnsafeMutableBufferPointer<UInt8>.allocate(
            capacity: max(2 * memory.count, count + additional, 64))
        if count > 0 { _ = unsafe larger.update(fromContentsOf: memory[..<count]) }
        if isOwner { unsafe memory.deallocate() }
        unsafe memory = unsafe larger
        isOwner = true
    }
}
