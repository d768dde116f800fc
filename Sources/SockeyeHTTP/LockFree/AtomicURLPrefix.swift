import Synchronization

/// A URL prefix that many threads compare URLs with, lock-free and without reference counts. Set once for good, or else
/// under the version of the seqlock that holds it.
package struct AtomicURLPrefix: ~Copyable, Sendable {
    private let bytes = AtomicBytes()
    /// The number of bytes and, in the lowest bit, whether they go as far as the path. 0: nothing yet.
    private let extent = Atomic<Int>(0)

    package init() {}

    /// Whether it was set.
    package var isSet: Bool { extent.load(ordering: .acquiring) != 0 }

    /// Sets it. Only one thread at a time may do that.
    ///
    /// - Returns: Whether that was possible: a prefix may be too long, or have a part that is none of its bytes.
    package func set(_ prefix: URLPrefix, of url: HTTPURL) -> Bool {
        guard Self.fits(prefix, of: url) else { return false }
        unsafe ByteScan.withBytes(of: url.text.utf8) { text in
            unsafe bytes.write(UnsafeRawBufferPointer(rebasing: text[..<prefix.count]))
        }
        extent.store(prefix.count << 1 | (prefix.extent == .path ? 1 : 0), ordering: .releasing)
        return true
    }

    /// Whether it can be set to this.
    static func fits(_ prefix: URLPrefix, of url: HTTPURL) -> Bool {
        !url.hasZone && prefix.count <= AtomicBytes.capacity
    }

    /// Whether a URL begins like this, and does so up to the same part.
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
