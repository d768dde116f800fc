import SockeyeEngine
import SockeyeHTTP
import SockeyeTestSupport
import Testing

/// Damaged responses. The right result is unknown, but there must be one, it must not depend on how the bytes are cut,
/// and no more bytes may come out than went in. Seeded, so that a failure can be repeated.
@Suite struct MutationTests {
    @Test("a damaged response is read the same whole and byte by byte", .timeLimit(.minutes(1)), arguments: 0..<16)
    func mutations(seed: Int) async {
        var random = SplitMix(seed: UInt64(seed) &* 0x9E37_79B9 &+ 1)
        // Two responses have kilobytes of digits, which take long byte by byte.
        let vectors = ResponseVector.all.map { ($0.wire.bytes, $0.method) }.filter { $0.0.count <= 1024 }
        let seeds = vectors + Self.seeds.map { (Array($0.utf8), "GET") }
        for _ in 0..<250 {
            var (bytes, method) = seeds[Int(random.next() % UInt64(seeds.count))]
            for _ in 0...(random.next() % 4) { mutate(&bytes, &random) }
            var exchange = EngineExchange(method: method)
            if random.next() % 4 == 0 { exchange.limits.headBytes = Int(random.next() % 200) }
            if random.next() % 2 == 0 { exchange.tolerances = [.bareLineFeeds] }
            let whole = await exchange.run([bytes[...]])
            let cut = await exchange.run(bytes.indices.map { bytes[$0...$0] })
            #expect(whole == cut, "\(bytes)")
            #expect(whole.body.count <= bytes.count)
            #expect(whole.fields.count <= exchange.limits.fieldCount)
        }
    }

    private func mutate(_ bytes: inout [UInt8], _ random: inout SplitMix) {
        guard !bytes.isEmpty else { return }
        let index = Int(random.next() % UInt64(bytes.count))
        let odd: [UInt8] = [0, 9, 10, 13, 32, 44, 48, 57, 58, 59, 65, 97, 102, 127, 128, 255]
        switch random.next() % 6 {
        case 0: bytes[index] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes[index] = odd[Int(random.next() % UInt64(odd.count))]
        case 2: bytes.insert(odd[Int(random.next() % UInt64(odd.count))], at: index)
        case 3: bytes.remove(at: index)
        case 4: bytes.removeSubrange(index...)
        default:
            let end = min(bytes.count, index + Int(random.next() % 12))
            bytes.insert(contentsOf: bytes[index..<end], at: index)
        }
    }

    /// Responses of kinds that ``ResponseVector/all`` lacks.
    static let seeds = [
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: keep-alive\r\nKeep-Alive: timeout=5, max=9\r\n\r\nhello",
        "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n10 ; c\r\n0123456789abcdef\r\n0\r\nA: b\r\n\r\n",
        "HTTP/1.0 200\r\nContent-Length: 3, 3\r\n\r\nabcHTTP/1.1 200 OK\r\n\r\n",
    ]
}
