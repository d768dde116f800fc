import SockeyePlatform

// `@unchecked Sendable`: bytes that a `Bytes` refers to are never written again (see `ByteStorage`), so threads share
// only constants.

/// An immutable run of bytes, cheap to pass around and to slice.
///
/// This is the chunk type of every body in Sockeye. Copying or slicing it copies no bytes: values share one
/// reference-counted block. Indices start at 0 in every `Bytes`, slices made with ``slice(_:)`` included.
///
/// ```swift
/// for try await chunk in response.body {
///     // a RandomAccessCollection of UInt8
///     file.append(contentsOf: chunk)
/// }
/// let text = String(decoding: bytes, as: UTF8.self)
/// ```
public struct Bytes: @unchecked Sendable {
    /// Nil for an empty value.
    @usableFromInline package let storage: ByteStorage?
    @usableFromInline package let offset: Int
    /// The number of bytes.
    public let count: Int

    /// Makes an empty value, which owns no memory.
    public init() {
        storage = nil
        offset = 0
        count = 0
    }

    /// A view of `storage`. The caller must not write to the viewed bytes while this value, or a slice of it, lives.
    package init(storage: ByteStorage, offset: Int, count: Int) {
        precondition(offset >= 0 && count >= 0 && offset + count <= storage.byteCapacity, "a view outside its storage")
        self.storage = storage
        self.offset = offset
        self.count = count
    }

    /// Copies a block of memory.
    package init(copying source: UnsafeRawBufferPointer) {
        unsafe self.init(count: source.count) { unsafe $0.copyMemory(from: source) }
    }

    /// Makes a value of exactly `count` bytes, all of which `fill` must write.
    package init(count: Int, fill: (UnsafeMutableRawBufferPointer) -> Void) {
        guard count > 0 else {
            self.init()
            return
        }
        let storage = ByteStorage.allocate(capacity: count)
        unsafe fill(UnsafeMutableRawBufferPointer(rebasing: storage.mutableBytes[..<count]))
        self.init(storage: storage, offset: 0, count: count)
    }

    /// Copies the bytes of any sequence, in one pass; with one `memcpy` if the sequence is contiguous.
    public init(_ bytes: some Sequence<UInt8>) {
        let copied: Bytes? = bytes.withContiguousStorageIfAvailable {
            unsafe Bytes(copying: UnsafeRawBufferPointer($0))
        }
        if let copied {
            self = copied
        } else {
            let array = Array(bytes)
            self = unsafe array.withUnsafeBytes { unsafe Bytes(copying: $0) }
        }
    }

    /// Copies the UTF-8 bytes of a string.
    public init(_ string: some StringProtocol) {
        self.init(string.utf8)
    }

    /// Calls `body` with the bytes in memory; the pointer is valid only during the call.
    @inlinable
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(unsafeBuffer)
    }

    @usableFromInline package var unsafeBuffer: UnsafeRawBufferPointer {
        guard let storage else { return unsafe UnsafeRawBufferPointer(start: nil, count: 0) }
        return unsafe UnsafeRawBufferPointer(start: storage.baseAddress + offset, count: count)
    }

    /// The bytes as a span that lives as long as this value is borrowed.
    public var span: Span<UInt8> {
        @_lifetime(borrow self) get {
            let buffer = unsafe unsafeBuffer.assumingMemoryBound(to: UInt8.self)
            return unsafe _overrideLifetime(Span(_unsafeElements: buffer), borrowing: self)
        }
    }

    /// Returns the bytes of `range`, sharing this value's memory. The indices of the result start at 0.
    ///
    /// - Precondition: `range` lies within `0..<count`.
    public func slice(_ range: Range<Int>) -> Bytes {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "slice out of bounds")
        guard let storage, !range.isEmpty else { return Bytes() }
        return Bytes(storage: storage, offset: offset + range.lowerBound, count: range.count)
    }

    /// Returns a copy in a block of exactly its own size. Keep the copy instead of a small slice of a large block, so
    /// that the large block can be freed.
    public func compacted() -> Bytes {
        unsafe Bytes(copying: unsafeBuffer)
    }

    /// Returns a ``compacted()`` copy if there are at most `limit` bytes and they fill less than a quarter of their
    /// block. Otherwise returns this value.
    package func compacted(upTo limit: Int) -> Bytes {
        guard count <= limit, let storage, storage.byteCapacity > 4 * count else { return self }
        return compacted()
    }
}

extension Bytes: RandomAccessCollection {
    /// A position, counted from 0.
    public typealias Index = Int
    /// A byte.
    public typealias Element = UInt8

    /// Always 0.
    public var startIndex: Int { 0 }
    /// Equals ``count``.
    public var endIndex: Int { count }

    /// The byte at `position`, which must be in `0..<count`.
    public subscript(position: Int) -> UInt8 {
        precondition(position >= 0 && position < count, "index out of bounds")
        return unsafe unsafeBuffer[position]
    }

    /// Copies the bytes, as far as there is room, with one `memcpy`. `Array.init` calls this method instead of
    /// ``withContiguousStorageIfAvailable(_:)``. The default implementation would copy the bytes one by one.
    public func _copyContents(
        initializing buffer: UnsafeMutableBufferPointer<UInt8>
    ) -> (IndexingIterator<Bytes>, Int) {
        let copied = Swift.min(count, buffer.count)
        if copied > 0 {
            unsafe UnsafeMutableRawBufferPointer(buffer)
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: unsafeBuffer[..<copied]))
        }
        return (IndexingIterator(_elements: self, _position: copied), copied)
    }

    /// Gives direct access to the bytes, so that generic algorithms copy them with one `memcpy`.
    public func withContiguousStorageIfAvailable<Result>(
        _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
    ) rethrows -> Result? {
        unsafe try body(unsafeBuffer.assumingMemoryBound(to: UInt8.self))
    }
}

extension Bytes: Hashable {
    /// True if both values have the same bytes.
    public static func == (left: Bytes, right: Bytes) -> Bool {
        guard left.count == right.count, left.count > 0 else { return left.count == right.count }
        return unsafe SystemMemory.isEqual(
            left.unsafeBuffer.baseAddress!, right.unsafeBuffer.baseAddress!, count: left.count)
    }

    /// Feeds the bytes to the hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        unsafe hasher.combine(bytes: unsafeBuffer)
    }
}

extension Bytes: ExpressibleByArrayLiteral {
    /// Makes a value from a list of bytes.
    public init(arrayLiteral elements: UInt8...) {
        self.init(elements)
    }
}

extension Bytes: CustomStringConvertible {
    /// The number of bytes, never their contents, which may be secret.
    public var description: String { "\(count) bytes" }
}

/// A fixed-size heap block that `Bytes` values share by reference: header and bytes in one allocation.
///
/// Only the code that allocated the block writes to it. While this code holds the only reference
/// (`isKnownUniquelyReferenced`), it may write anywhere. Otherwise it may write only after the last byte that any
/// `Bytes` value covers. Covered bytes are read-only until the last `Bytes` value that refers to the block is gone.
@usableFromInline
package final class ByteStorage: ManagedBuffer<ByteStorage.Header, UInt8> {
    @usableFromInline
    package struct Header: Sendable {
        package let capacity: Int
    }

    package static func allocate(capacity: Int) -> ByteStorage {
        let buffer = ByteStorage.create(minimumCapacity: capacity) { _ in Header(capacity: capacity) }
        return unsafe unsafeDowncast(buffer, to: ByteStorage.self)
    }

    // Read through a pointer, because an access to `header` would be checked for exclusivity at run time, although the
    // capacity is a constant.
    package var byteCapacity: Int { unsafe withUnsafeMutablePointerToHeader { unsafe $0.pointee.capacity } }

    package var baseAddress: UnsafeMutableRawPointer {
        unsafe UnsafeMutableRawPointer(withUnsafeMutablePointerToElements { unsafe $0 })
    }

    /// The whole block, for writing. The caller must hold the only reference, or write only after the last byte that
    /// any `Bytes` value covers.
    package var mutableBytes: UnsafeMutableRawBufferPointer {
        unsafe UnsafeMutableRawBufferPointer(start: baseAddress, count: byteCapacity)
    }

    /// Calls `body` with a part of the block. All bytes of the part must have been written.
    package func withSpan<Result, Failure: Error>(
        _ range: Range<Int>, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        precondition(range.lowerBound >= 0 && range.upperBound <= byteCapacity, "a view outside its storage")
        let bytes = unsafe UnsafeRawBufferPointer(start: baseAddress + range.lowerBound, count: range.count)
        return try unsafe body(Span(_unsafeElements: bytes.assumingMemoryBound(to: UInt8.self)))
    }
}
