import Synchronization

/// A seqlock around one encoded field line and the URL prefix of the requests that get it: readers take a copy without
/// a lock and without reference counts. Of fixed size; a longer line is not published.
///
/// There is one writer at a time. A reader compares the version before and after; where they differ, what it read may
/// be torn, and it does without.
package struct FieldLineSeqlock: ~Copyable, Sendable {
    /// The sequence number, odd during a write.
    private let version = Atomic<UInt64>(0)
    private let prefix = AtomicURLPrefix()
    private let bytes = AtomicBytes()
    private let nameCount = Atomic<Int>(0)
    /// The bytes of the line; 0 where requests get none, negative while nothing is known.
    private let lineCount = Atomic<Int>(-1)
    private let end = Atomic<Int64>(0)
    private let wasTaken = Atomic(false)

    package init() {}

    /// Publishes a line. Only one thread at a time may do that or withdraw it.
    ///
    /// - Parameters:
    ///   - line: Nil where requests get none.
    ///   - prefix: The prefix of the URLs that get it.
    ///   - url: A URL with this prefix.
    ///   - end: When it expires, in the unit of the clock of ``add(to:for:at:)``; `.max` never.
    /// - Returns: Whether it fits. Where it does not, the line before stays published.
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

    /// Ends the publication.
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

    /// Whether a reader took it since this was asked last.
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
