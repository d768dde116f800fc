/// A fixed-size heap block that `Bytes` values share by reference: header and bytes in one allocation.
///
/// Only its creator writes to the block: anywhere while it is the one reference (`isKnownUniquelyReferenced`), else only behind
/// the last byte that a `Bytes` over it covers. Covered bytes are read-only until the last such value is gone.
///
/// The standard library declares `ManagedBuffer` non-Sendable, so it is `Bytes` that vouches for this.
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

    // Not by `header`, which checks for exclusive access what never changes.
    package var byteCapacity: Int { unsafe withUnsafeMutablePointerToHeader { unsafe $0.pointee.capacity } }

    package var baseAddress: UnsafeMutableRawPointer {
        unsafe UnsafeMutableRawPointer(withUnsafeMutablePointerToElements { unsafe $0 })
    }

    /// The whole block for filling. The caller must hold the only reference, or write only behind what others refer to.
    package var mutableBytes: UnsafeMutableRawBufferPointer {
        unsafe UnsafeMutableRawBufferPointer(start: baseAddress, count: byteCapacity)
    }

    /// Lends a part of the block, which must have been written.
    package func withSpan<Result, Failure: Error>(
        _ range: Range<Int>, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        precondition(range.lowerBound >= 0 && range.upperBound <= byteCapacity, "a view outside its storage")
        let bytes = unsafe UnsafeRawBufferPointer(start: baseAddress + range.lowerBound, count: range.count)
        return try unsafe body(Span(_unsafeElements: bytes.assumingMemoryBound(to: UInt8.self)))
    }
}
