#if DiskCache
import Testing

@testable import SockeyeDiskCache

@Suite("Recent uses of entries") struct RecentUsesTests {
    @Test("uses that could not be written are pending again, unless the entry has a later use")
    func restore() {
        var uses = RecentUses(after: 10)
        uses.note(1)
        uses.note(2)
        let taken = uses.take()
        #expect(uses.pending.isEmpty)
        uses.note(2)
        uses.restore(taken)
        #expect(uses.pending == [1: 11, 2: 13])
    }
}
#endif
