import Synchronization

/// A URL prefix that many threads compare URLs with, lock-free and without reference counts. It is set only once, or
/// under the version of the seqlock that contains it.
package struct AtomicURLPrefix: ~Copyable, Sendable {
    private let bytes = AtomicBytes()
    /// The number of bytes shifted left by one; the lowest bit is set if the prefix includes the path. 0 if not set.
    private let extent = Atomic<Int>(0)

    package init() {}

    /// True if the prefix has been set.
    package var isSet: Bool { extent.load(ordering: .acquiring) != 0 }

    /// Sets the prefix. Only one thread at a time may call this.
    ///
    /// - Returns: False if the prefix does not fit: it is too long, or its URL has an IPv6 zone, which is not in its
    ///   text.
    package func set(_ prefix: URLPrefix, of url: HTTPURL) -> Bool {
        guard Self.canStore(prefix, of: url) else { return false }
        unsafe ByteScan.withBytes(of: url.text.utf8) { text in
            unsafe bytes.write(UnsafeRawBufferPointer(rebasing: text[..<prefix.count]))
        }
        extent.store(prefix.count << 1 | (prefix.extent == .path ? 1 : 0), ordering: .releasing)
        return true
    }

    /// Returns true if the prefix can be stored.
    static func canStore(_ prefix: URLPrefix, of url: HTTPURL) -> Bool {
        !url.hasZone && prefix.count <= AtomicBytes.capacity
    }

    /// Returns true if the same part of the URL equals this prefix.
    @inline(__always)
    package func matches(_ url: HTTPURL) -> Bool {
        let extent = extent.load(ordering: .acquiring)
        let count = extent >> 1
        guard count != 0, Int(extent & 1 == 1 ? url.bounds.query : url.bounds.path) == count else { return false }
        return unsafe !url.hasZone
            && ByteScan.withBytes(of: url.text.utf8) { text in
                guard let base = text.baseAddress, text.count >= count else { return false }
                return unsafe bytes.begins(with: base, count: count)
            }
    }
}
