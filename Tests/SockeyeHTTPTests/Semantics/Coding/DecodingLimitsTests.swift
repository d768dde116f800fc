import SockeyeCore
import SockeyeHTTP
import Testing

@Suite struct DecodingLimitsTests {
    private static func zeros(_ count: Int) -> Bytes { Bytes([UInt8](repeating: 0, count: count)) }

    /// Returns the number of decoded bytes, the largest piece, and the error.
    private func delivered(
        _ coded: Bytes, _ codings: [ContentCoding], limits: DecodingLimits
    ) -> (bytes: Int, largest: Int, error: CodecError?) {
        let decoder = ContentDecoder(codings, limits: limits)
        decoder.push(coded)
        var bytes = 0
        var largest = 0
        do throws(CodecError) {
            while let piece = try decoder.next() {
                bytes += piece.count
                largest = max(largest, piece.count)
            }
            try decoder.finish()
            return (bytes, largest, nil)
        } catch {
            return (bytes, largest, error)
        }
    }

    @Test(
        "the ratio limit stops a decompression bomb, but accepts a body up to the floor",
        arguments: [ContentCoding.gzip, .deflate])
    func ratio(coding: ContentCoding) throws {
        let bomb = try encode(Self.zeros(8 << 20), [coding])
        let limits = DecodingLimits(maximumRatio: 100)
        let stopped = delivered(bomb, [coding], limits: limits)
        #expect(stopped.error == .ratioExceeded(limit: 100))
        #expect(stopped.bytes <= 1 << 20)

        let small = try encode(Self.zeros(1 << 20), [coding])
        #expect(small.count * 500 < 1 << 20)
        #expect(delivered(small, [coding], limits: limits).error == nil)
    }

    @Test("the ratio of a single coding is unlimited by default, because honest JSON rows reach hundreds to one")
    func rows() throws {
        let row =
            #"{"id":0,"status":"active","role":"reader","address":null,"groups":[],"flags":{"a":false,"b":false}},"#
        let rows = Bytes(Array(String(repeating: row, count: 80_000).utf8))
        let coded = try encode(rows, [.gzip])
        #expect(rows.count / coded.count > 165)
        let all = delivered(coded, [.gzip], limits: .default)
        #expect(all.bytes == rows.count && all.error == nil)
    }

    @Test("the absolute limit accepts a body of exactly its size and stops a larger body")
    func absolute() throws {
        let coded = try encode(Self.zeros(300_000), [.gzip])
        var limits = DecodingLimits(maximumBytes: 300_000)
        #expect(delivered(coded, [.gzip], limits: limits).error == nil)
        limits.maximumBytes = 299_999
        let stopped = delivered(coded, [.gzip], limits: limits)
        #expect(stopped.error == .tooLarge(limit: 299_999))
        #expect(stopped.bytes < 300_000)
    }

    @Test("a nested bomb is stopped by its ratio to the received bytes, or by its number of empty members")
    func nested() throws {
        let twice = try encode(Self.zeros(64 << 20), [.gzip, .gzip])
        #expect(delivered(twice, [.gzip, .gzip], limits: .default).error == .ratioExceeded(limit: 1_032))

        // The outer coding gives 200,000 empty members, and the inner one no content.
        let empty = Array(try encode(Bytes(), [.gzip]))
        let members = Bytes((0..<200_000).flatMap { _ in empty })
        let hollow = try encode(members, [.gzip])
        #expect(
            delivered(hollow, [.gzip, .gzip], limits: DecodingLimits(maximumRatio: 100)).error
                == .corrupt(reason: "more than 512 members in a row have no content"))
    }

    @Test("the decoder gives pieces of at most 64 KiB")
    func pieces() throws {
        let coded = try encode(Self.zeros(4 << 20), [.gzip])
        let all = delivered(coded, [.gzip], limits: .unlimited)
        #expect(all.error == nil)
        #expect(all.bytes == 4 << 20)
        #expect(all.largest == 64 << 10)
    }

    @Test("the decoder reuses the block of a released piece, but not of a piece that is still referenced")
    func blocks() throws {
        var generator = BodyGenerator(state: 5)
        let body = Bytes((0..<1 << 20).map { _ in UInt8.random(in: 0...15, using: &generator) })
        let coded = try encode(body, [.gzip])

        let decoder = ContentDecoder([.gzip])
        decoder.push(coded)
        var addresses: Set<Int> = []
        while let piece = try decoder.next() {
            unsafe piece.withUnsafeBytes { _ = addresses.insert(Int(bitPattern: $0.baseAddress)) }
        }
        #expect(addresses.count <= 3)

        let keeping = ContentDecoder([.gzip])
        keeping.push(coded)
        var held: [Bytes] = []
        while let piece = try keeping.next() { held.append(piece) }
        #expect(Bytes(held.flatMap { $0 }) == body)
    }
}
