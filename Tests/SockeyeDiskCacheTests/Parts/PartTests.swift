#if DiskCache
import SockeyeCore
import SockeyeTestSupport
import Testing

@testable import SockeyeDiskCache

@Suite("The block layout, checksums, write tickets, uses and costs of entries in a disk store") struct PartTests {
    @Test(
        "the blocks of a body cover its content and nothing else",
        arguments: [1, 2, 262_143, 262_144, 262_145, 1 << 20, 10_000_000])
    func layout(length: Int) {
        let layout = BlockLayout(length: length)
        var end = 0
        for block in 0..<layout.blockCount {
            let content = layout.content(of: block)
            #expect(content.lowerBound == end && !content.isEmpty && content.count <= BlockLayout.blockSize)
            #expect(BlockLayout.filePosition(of: block) == content.lowerBound + block * EntryChecksum.size)
            #expect(
                BlockLayout.block(of: content.lowerBound) == block
                    && BlockLayout.block(of: content.upperBound - 1) == block)
            end = content.upperBound
        }
        #expect(end == length && layout.fileSize == length + layout.blockCount * EntryChecksum.size)
    }

    @Test("checksums differ if content, block number, ID, key, kind or the boundary between two of them differs")
    func checksums() throws {
        let content = Bytes("abc")
        let checksums = try [
            EntryChecksum.of(content: content, block: 0, id: "1"),
            EntryChecksum.of(content: content, block: 1, id: "1"),
            EntryChecksum.of(content: content, block: 0, id: "2"),
            EntryChecksum.of(content: Bytes("abd"), block: 0, id: "1"),
            EntryChecksum.of(content: Bytes("bc"), block: 0, id: "1a"),
            EntryChecksum.of(head: content, id: "1", key: "0"),
            EntryChecksum.of(head: content, id: "1", key: ""), EntryChecksum.of(head: content, id: "", key: "1"),
        ]
        #expect(Set(checksums).count == checksums.count && checksums.allSatisfy { $0.count == EntryChecksum.size })
        #expect(try EntryChecksum.of(content: content, block: 0, id: "1") == checksums[0])
    }

    @Test("a write ticket is valid until it ends or its key is revoked")
    func tickets() {
        var tickets = WriteTickets()
        let (one, two, other) = (tickets.begin("a"), tickets.begin("a"), tickets.begin("b"))
        #expect(tickets.isValid(one) && tickets.isValid(two) && tickets.count == 3)
        #expect(tickets.end(one) && !tickets.end(one) && !tickets.isValid(one) && tickets.isValid(two))
        tickets.revoke("a")
        #expect(!tickets.isValid(two) && !tickets.end(two) && tickets.isValid(other))
        let again = tickets.begin("a")
        #expect(tickets.isValid(again) && !tickets.isValid(two))
        tickets.revokeAll()
        #expect(tickets.count == 0 && !tickets.isValid(again))
    }

    @Test("the numbers of uses continue after the last number in the database, and each use gets the next number")
    func uses() {
        var uses = RecentUses(after: 41)
        uses.note(7)
        uses.note(8)
        uses.note(7)
        #expect(uses.pending == [7: 44, 8: 43])
        #expect(uses.take() == [7: 44, 8: 43] && uses.take().isEmpty && uses.next() == 45)
    }

    @Test("the cost of an entry is the size of the 4 KiB pages that it fills")
    func cost() {
        #expect(CacheUsage.cost(head: 500, key: 30, content: 0) == 4096)
        #expect(CacheUsage.cost(head: 500, key: 30, content: 1) == 8192)
        #expect(CacheUsage.cost(head: 4090, key: 30, content: 4097) == 16_384)
    }
}
#endif
