import Synchronization

/// A seqlock around one encoded field line and the URL prefix of the requests that get the line. Readers copy the line
/// without a lock and without reference counts. The size is fixed; a longer line is not published.
///
/// There is one writer at a time. A reader compares the version before and after its read; if they differ, the copy may
/// be torn and the reader discards it.
package struct FieldLineSeqlock: ~Copyable, Sendable {
    /// The sequence number, odd during a write.
    private let version = Atomic<UInt64>(0)
    private let prefix = AtomicURLPrefix()
    private let bytes = AtomicBytes()
    private let nameCount = Atomic<Int>(0)
    /// The number of bytes of the line; 0 if requests get no line, negative if nothing is published.
    private let lineCount = Atomic<Int>(-1)
    private let end = Atomic<Int64>(0)
    private let wasUsed = Atomic(false)

    package init() {}

    /// Publishes a line. Only one thread at a time may publish or withdraw.
    ///
    /// - Parameters:
    ///   - line: The line; nil if requests get no line.
    ///   - prefix: The prefix of the URLs that get the line.
    ///   - url: A URL with this prefix.
    ///   - end: The time at which the line expires, on the clock of ``add(to:for:at:)``; `.max` for never.
    /// - Returns: False if the line is too long or the prefix does not fit. The previous line then stays published.
    package func publish(_ line: EncodedField?, _ prefix: URLPrefix, of url: HTTPURL, until end: Int64) -> Bool {
        let count = line?.lineCount ?? 0
        guard count <= AtomicBytes.capacity, AtomicURLPrefix.canStore(prefix, of: url) else { return false }
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

    /// Returns true if a reader has used the published line since the last call.
    package func takeUseFlag() -> Bool {
        wasUsed.load(ordering: .relaxed) && wasUsed.exchange(false, ordering: .relaxed)
    }

    /// Appends the published line to the fields of a request.
    ///
    /// - Returns: True if the request needs nothing else, with or without a line; false if nothing is published for
    ///   this URL.
    package func add(to fields: inout FieldLineBuffer, for url: HTTPURL, at now: () -> Int64) -> Bool {
        let before = version.load(ordering: .acquiring)
        let count = lineCount.load(ordering: .relaxed)
        guard before & 1 == 0, count >= 0, prefix.matches(url) else { return false }
        let end = end.load(ordering: .relaxed)
        guard end == .max || end > now() else { return false }
        if !wasUsed.load(ordering: .relaxed) { wasUsed.store(true, ordering: .relaxed) }
        let nameCount = nameCount.load(ordering: .relaxed)
        guard count > 0 else { return isStill(before) }
        // These values may belong to different lines if a write is in progress.
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
