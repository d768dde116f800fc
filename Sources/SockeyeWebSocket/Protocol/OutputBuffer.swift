import SockeyeCore

/// A bounded buffer of bytes to send: bytes are appended at the end and removed from the start.
// `@unchecked Sendable`: the memory block (`storage`) has no other reference, and only the buffer's owner uses it.
package struct OutputBuffer: @unchecked Sendable {
    private var storage: ByteStorage?
    private var start = 0
    private var end = 0

    /// The largest size of the buffer in bytes, and so of one write. A block of this size stays in the processor's
    /// cache between masking and the system call.
    package static let largest = 64 << 10
    /// The size in bytes of the largest block that is kept while the buffer is empty.
    private static let kept = 4 << 10

    package init() {}

    package var isEmpty: Bool { start == end }
    package var count: Int { end - start }

    /// Calls `body` with the bytes to write next.
    package func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        guard let storage, start < end else { return unsafe body(UnsafeRawBufferPointer(start: nil, count: 0)) }
        return unsafe body(UnsafeRawBufferPointer(rebasing: storage.mutableBytes[start..<end]))
    }

    /// Removes `count` written bytes from the start. Frees a large block if the buffer becomes empty.
    package mutating func consume(_ count: Int) {
        start += count
        guard start == end else { return }
        start = 0
        end = 0
        if let size = storage?.byteCapacity, size > Self.kept { storage = nil }
    }

    /// Makes room for `count` more bytes. Returns false if the buffer would then hold more than ``largest`` bytes.
    /// `count` itself must be at most ``largest``.
    mutating func makeRoom(for count: Int) -> Bool {
        guard let current = storage else {
            storage = .allocate(capacity: max(512, count))
            return true
        }
        if current.byteCapacity - end >= count { return true }
        guard self.count + count <= Self.largest else { return false }
        if start > 0, current.byteCapacity - self.count >= max(count, current.byteCapacity / 2) {
            move(to: current)
        } else {
            move(to: .allocate(capacity: min(Self.largest, max(self.count + count, current.byteCapacity * 2))))
        }
        return true
    }

    private mutating func move(to target: ByteStorage) {
        let held = self.count
        if let storage, held > 0 {
            let bytes = unsafe UnsafeRawBufferPointer(rebasing: storage.mutableBytes[start..<end])
            unsafe target.mutableBytes.copyMemory(from: bytes)
        }
        storage = target
        start = 0
        end = held
    }

    /// Appends a header. The caller must have made room for ``FrameHeader/maximumSize`` bytes.
    mutating func append(_ header: FrameHeader) {
        guard let storage else { return }
        end += unsafe header.encode(into: UnsafeMutableRawBufferPointer(rebasing: storage.mutableBytes[end...]))
    }

    /// Grows the buffer if necessary. Lets `fill` write as many bytes as fit, at most `limit`, and returns their
    /// number.
    mutating func append(atMost limit: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Void) -> Int {
        _ = makeRoom(for: min(limit, Self.largest - count))
        guard let storage else { return 0 }
        let count = min(limit, storage.byteCapacity - end)
        unsafe fill(UnsafeMutableRawBufferPointer(rebasing: storage.mutableBytes[end..<end + count]))
        end += count
        return count
    }
}
