import SockeyeCore
import SockeyeHTTP
import Testing

@Suite struct CodecFuzzTests {
    @Test("random bodies cut at random places are decoded", arguments: 0..<40 as Range<UInt64>)
    func cutting(seed: UInt64) throws {
        var generator = BodyGenerator(state: seed)
        let body = generator.body(upTo: 50_000)
        let codings = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
            Bool.random(using: &generator) ? ContentCoding.gzip : .deflate
        }
        let coded = try encode(body, codings, level: Int.random(in: 0...9, using: &generator))
        var chunks: [Bytes] = []
        var start = 0
        while start < coded.count {
            let end = min(coded.count, start + Int.random(in: 1...2000, using: &generator))
            chunks.append(coded.slice(start..<end))
            start = end
        }
        #expect(try decode(chunks, codings) == body)
        if coded.count > 1 {
            let cut = Int.random(in: 1..<coded.count, using: &generator)
            #expect(failure(of: [coded.slice(0..<cut)], codings) == .truncated)
        }
    }

    @Test(
        "damaged data gives the same result whole and byte by byte, and damaged gzip data never another body",
        arguments: 0..<60 as Range<UInt64>)
    func damage(seed: UInt64) throws {
        var generator = BodyGenerator(state: seed &+ 1000)
        let body = generator.body(upTo: 3000)
        let coding = Bool.random(using: &generator) ? ContentCoding.gzip : .deflate
        var coded = Array(try encode(body, [coding]))
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            coded[Int.random(in: 0..<coded.count, using: &generator)] ^= 1 << UInt8.random(in: 0...7, using: &generator)
        }
        let outcomes = [[Bytes(coded)], Bytes(coded).inChunks(of: 1)].map { chunks in
            Result { () throws(CodecError) in try decode(chunks, [coding]) }
        }
        #expect(outcomes[0] == outcomes[1])
        if coding == .gzip, case .success(let decoded) = outcomes[0] { #expect(decoded == body) }
    }

    @Test("the decoder terminates on random bytes", arguments: 0..<60 as Range<UInt64>)
    func noise(seed: UInt64) {
        var generator = BodyGenerator(state: seed &+ 2000)
        let noise = Bytes((0..<2000).map { _ in UInt8.random(in: 0...255, using: &generator) })
        #expect(failure(of: [noise], [.gzip]) != nil)
        _ = failure(of: [noise], [.deflate])
        _ = failure(of: noise.inChunks(of: 3), [.deflate, .gzip])
    }
}
