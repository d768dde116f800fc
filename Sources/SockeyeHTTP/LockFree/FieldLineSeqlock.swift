import Synchronization

/// The line that requests to some URL get, for many threads at once: they take it without counting a reference to it, and
/// without a lock. Of fixed size; what does not fit is not shared.
///
/// One writes at a time; those who read meanwhile notice, by the version before and after, that what they have read may
/// be half of one and half of another, and do without.
package struct FieldLineSeqlock: ~Copyable, Sendable {
    /// Odd while somebody writes.
    private let version = Atomic<UInt64>(0)
    private let prefix = AtomicURLPrefix()
    private let bytes = AtomicBytes()
    private let nameCount = Atomic<Int>(0)
    /// The bytes of the line; 0 where requests get none, negative while nothing is known.
    private let lineCount = Atomic<Int>(-1)
    private let end = Atomic<Int64>(0)
    private let wasTaken = Atomic(false)

    package init() {}

    /// Makes it known. Only one thread at a time may do that or withdraw it.
    ///
    /// - Parameters:
    ///   - line: Nil where requests get none.
    ///   - prefix: What URLs have to begin with,
    ///   - url: one of which this is.
    ///   - end: From when on nobody gets it any more; `.max` never.
    /// - Returns: Whether it fits. Where it does not, what was known before still is.
    package func share(_ line: EncodedField?, _ prefix: URLPrefix, of url: HTTPURL, until end: Int64) -> Bool {
        let count = line?.lineCount ?? 0
        guard count <= AtomicBytes.capacity, AtomicURLPrefix.fits(prefix, of: url) else { return false }
        change {
            _ = self.prefix.set(prefix, of: url)
            unsafe line?.withLine { unsafe bytes.write($0) }
            nameCount.store(line?.nameCount ?? 0, ordering: .relaxed)
            lineCount.store(count, ordering: .relaxed)
            self.end.store(end, ordering: .relaxed)
        }
        return true
    }

    /// Nobody gets it any more who asks from now on.
    package func withdraw() {
        guard lineCount.load(ordering: .relaxed) >= 0 else { return }
        change { lineCount.store(-1, ordering: .relaxed) }
    }

    private func change(_ body: () -> Void) {
        let before = version.load(ordering: .relaxed)
        version.store(before &+ 1, ordering: .relaxed)
        atomicMemoryFence(ordering: .releasing)
        body()
        version.store(before &+ 2, ordering: .releasing)
    }

    /// Whether somebody took it since this was asked last.
    package func takeNote() -> Bool {
        wasTaken.load(ordering: .relaxed) && wasTaken.exchange(false, ordering: .relaxed)
    }

    /// Adds the line to those of a request.
    ///
    /// - Returns: Whether that is all there is to do: false where nothing is known of this URL.
    package func add(to fields: inout FieldLineBuffer, for url: HTTPURL, at now: () -> Int64) -> Bool {
        let before = version.load(ordering: .acquiring)
        let count = lineCount.load(ordering: .relaxed)
        guard before & 1 == 0, count >= 0, prefix.matches(url) else { return false }
        let end = end.load(ordering: .relaxed)
        guard end == .max || end > now() else { return false }
        if !wasTaken.load(ordering: .relaxed) { wasTaken.store(true, ordering: .relaxed) }
        let nameCount = nameCount.load(ordering: .relaxed)
        guard count > 0 else { return isStill(before) }
        // Read half-way through a change, they may be of different lines.
        guard count >= nameCount + FieldEntry.separators, count <= AtomicBytes.capacity else { return false }
        let entry = BufferedLine(
            nameCount: nameCount, valueCount: count - nameCount - FieldEntry.separators, position: fields.position,
            note: nil)
        return unsafe fields.append(entry) { place in
            unsafe bytes.copy(to: place, count: count)
            return isStill(before)
        }
    }

    @inline(__always)
    private func isStill(_ before: UInt64) -> Bool {
        atomicMemoryFence(ordering: .acquiring)
        return version.load(ordering: .relaxed) == before
    }
}
