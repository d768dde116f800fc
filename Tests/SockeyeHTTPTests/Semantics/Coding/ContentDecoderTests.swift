import SockeyeCore
import SockeyeHTTP
import SockeyeTestSupport
import Testing

@Suite struct ContentDecoderTests {
    static let text = Bytes(String(repeating: "Salmon swim up the river. ", count: 40))

    @Test(
        "stacked codings are decoded in the reverse order of their application",
        arguments: [
            [.deflate, .gzip], [.gzip, .deflate], [.gzip, .gzip], [.gzip, .deflate, .gzip, .deflate, .gzip],
            [.identity, .gzip],
        ] as [[ContentCoding]])
    func stacked(codings: [ContentCoding]) throws {
        let coded = try encode(Self.text, codings)
        for chunks in [[coded], coded.halved(), coded.inChunks(of: 1)] {
            #expect(try decode(chunks, codings) == Self.text)
        }
        if codings == [.deflate, .gzip] {
            #expect(failure(of: [coded], [.gzip, .deflate]) != nil)
        }
        for cut in 1..<coded.count {
            #expect(failure(of: [coded.slice(0..<cut)], codings) == .truncated, "cut at \(cut)")
        }
    }

    @Test("successive gzip members are decoded, empty ones included")
    func members() throws {
        let empty = try encode(Bytes(), [.gzip])
        let full = try encode(Self.text, [.gzip])
        let coded = empty + full + empty + empty + full
        let ends = [empty.count, full.count, empty.count, empty.count, full.count].reduce(into: [0]) {
            $0.append($0.last! + $1)
        }
        for chunks in [[coded], coded.halved(), coded.inChunks(of: 1), coded.inChunks(of: 7)] {
            #expect(try decode(chunks, [.gzip]) == Self.text + Self.text)
        }
        for cut in 0..<coded.count {
            let error = failure(of: [coded.slice(0..<cut)], [.gzip])
            #expect(error == (ends.contains(cut) ? nil : .truncated), "cut at \(cut)")
        }
    }

    @Test("the decoder ends its turn after some megabytes, so that other tasks run")
    func turns() throws {
        let decoder = ContentDecoder([.gzip])
        decoder.push(try encode(Bytes([UInt8](repeating: 0, count: 16 << 20)), [.gzip]))
        var (turns, count) = (0, 0)
        reading: while true {
            switch try decoder.step() {
            case .piece(let piece): count += piece.count
            case .turnEnded: turns += 1
            case .needsInput: break reading
            }
        }
        #expect(count == 16 << 20 && turns >= 4, "\(count) bytes in \(turns) turns")
    }

    @Test("the decoder ends its turn after some megabytes of an inner layer that gives no content")
    func turnsWithoutContent() throws {
        // The header of a gzip member, and deflate blocks without content (RFC 1951 3.2.4).
        let header: Bytes = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
        let blocks = Bytes(repeating: [0, 0, 0, 0xFF, 0xFF], count: (6 << 20) / 5 * 5)
        let decoder = ContentDecoder([.gzip, .gzip])
        decoder.push(try encode(header + blocks, [.gzip]))
        var turns = 0
        while case .turnEnded = try decoder.step() { turns += 1 }
        #expect(turns >= 2, "\(turns) turns")
    }

    @Test("more than 512 successive members without content are refused", arguments: [(500, false), (600, true)])
    func emptyMembers(count: Int, isRefused: Bool) throws {
        let empty = Array(try encode(Bytes(), [.gzip]))
        let members = Bytes(repeating: empty, count: count * empty.count)
        #expect((failure(of: [members], [.gzip]) != nil) == isRefused)
    }

    @Test(
        "a gzip comment of 17 MiB is refused, and one of 1 MiB is skipped",
        arguments: [(1 << 20, false), (17 << 20, true)])
    func endlessComment(count: Int, isRefused: Bool) throws {
        // RFC 1952 2.3: FCOMMENT, which a byte of value 0 ends.
        let plain = try encode(Self.text, [.gzip])
        let head = [0x1F, 0x8B, 8, 0x10, 0, 0, 0, 0, 0, 3] + [UInt8](repeating: 0x61, count: count) + [0]
        let chunks = (Bytes(head) + plain.slice(10..<plain.count)).inChunks(of: 1 << 16)
        #expect((failure(of: chunks, [.gzip]) != nil) == isRefused)
    }

    @Test(
        "no byte after coded data is lost if the content ends at or near the end of an output piece",
        arguments: [8 << 10, 64 << 10])
    func memberAtEndOfPiece(piece: Int) throws {
        var random = BodyGenerator(state: 7)
        let longest = Bytes((0..<piece + 6).map { _ in UInt8.random(in: 0...15, using: &random) })
        for size in piece - 2...piece + 6 {
            let body = longest.slice(0..<size)
            let coded = try encode(body, [.gzip])
            let next = try encode(Self.text, [.gzip])
            for chunks in [[coded + next], [coded, next], (coded + next).inChunks(of: coded.count - 3)] {
                #expect(try decode(chunks, [.gzip]) == body + Self.text, "\(size)")
            }
            // Few enough bytes that a library reads them ahead before it detects the end of the data.
            let garbage = Self.text.slice(0..<4)
            #expect(failure(of: [try rawDeflate(body) + garbage], [.deflate]) == .trailingGarbage, "\(size)")
        }
    }

    @Test("the decoder reads every optional field of a gzip header and checks the header's own checksum")
    func header() throws {
        // RFC 1952 2.3: FHCRC, FEXTRA, FNAME and FCOMMENT.
        let plain = try encode(Self.text, [.gzip])
        let fields: [UInt8] = [3, 0, 1, 2, 3] + Array("name\0comment\0".utf8)
        let head = [0x1F, 0x8B, 8, 0x1E, 0, 0, 0, 0, 0, 3] + fields
        let sum = crc32(head) & 0xFFFF
        let rest = plain.slice(10..<plain.count)
        let good = Bytes(head + [UInt8(sum & 255), UInt8(sum >> 8)]) + rest
        let bad = Bytes(head + [UInt8(sum & 255) ^ 1, UInt8(sum >> 8)]) + rest
        #expect(try decode(good.inChunks(of: 1), [.gzip]) == Self.text)
        #expect(failure(of: [bad], [.gzip]) == .corrupt(reason: "header crc mismatch"))
    }

    @Test("the decoder checks the checksum and the size", arguments: [ContentCoding.gzip, .deflate])
    func trailer(coding: ContentCoding) throws {
        let coded = try encode(Self.text, [coding])
        for index in (coded.count - (coding == .gzip ? 8 : 4))..<coded.count {
            var damaged = Array(coded)
            damaged[index] ^= 0x10
            #expect(
                { if case .corrupt = failure(of: [Bytes(damaged)], [coding]) { true } else { false } }(), "at \(index)")
        }
    }

    @Test(
        "bytes that do not continue the coded data are refused",
        arguments: [[1], [0x1F], [0x1F, 0x8C], [0x1F, 0], [0, 1], [0, 0x1F, 0x8B], Array("garbage!!!".utf8)]
            as [[UInt8]])
    func trailing(garbage: [UInt8]) throws {
        let gzip = try encode(Self.text, [.gzip]) + Bytes(garbage)
        // A single first byte of the magic number might have begun another member, so the error is truncation.
        let expected: CodecError = garbage == [0x1F] ? .truncated : .trailingGarbage
        for chunks in [[gzip], gzip.inChunks(of: 1)] { #expect(failure(of: chunks, [.gzip]) == expected) }
        for coded in [try encode(Self.text, [.deflate]), try rawDeflate(Self.text)] {
            let longer = coded + Bytes(garbage)
            for chunks in [[longer], longer.inChunks(of: 1)] {
                #expect(failure(of: chunks, [.deflate]) == .trailingGarbage)
            }
        }
    }

    @Test("bytes of value 0 are tolerated only after the last gzip member")
    func padding() throws {
        let zeros = Bytes([UInt8](repeating: 0, count: 700))
        let coded = try encode(Self.text, [.gzip])
        for chunks in [[coded + zeros], (coded + zeros).inChunks(of: 1)] {
            #expect(try decode(chunks, [.gzip]) == Self.text)
        }
        #expect(failure(of: [coded + zeros + coded], [.gzip]) == .trailingGarbage)
        let endless = Array(repeating: Bytes([UInt8](repeating: 0, count: 1 << 20)), count: 17)
        #expect(
            failure(of: [coded] + endless, [.gzip])
                == .corrupt(reason: "more than 16777216 bytes in a row yield no content"))
        #expect(failure(of: [try encode(Self.text, [.deflate]) + zeros], [.deflate]) == .trailingGarbage)
    }

    @Test("raw deflate data is accepted as deflate, and a cut anywhere fails")
    func raw() throws {
        let coded = try rawDeflate(Self.text)
        for chunks in [[coded], coded.halved(), coded.inChunks(of: 1)] {
            #expect(try decode(chunks, [.deflate]) == Self.text)
        }
        for cut in 1..<coded.count {
            #expect(failure(of: [coded.slice(0..<cut)], [.deflate]) == .truncated, "cut at \(cut)")
        }
        // A stored block whose first byte could begin a zlib header, so that the second byte decides.
        let stored = Bytes([0x08, 2, 0, 0xFD, 0xFF, 0x41, 0x42, 0x03, 0x00])
        for chunks in [[stored], stored.inChunks(of: 1)] {
            #expect(try decode(chunks, [.deflate]) == Bytes("AB"))
        }
    }

    @Test("a body of no bytes is decoded as empty in every coding")
    func noBytes() throws {
        #expect(try decode([], [.gzip]).isEmpty)
        #expect(try decode([], []).isEmpty)
        #expect(failure(of: [], [.deflate]) == nil)
        #expect(failure(of: [], [.gzip, .deflate]) == nil)
    }

    @Test("without a coding the bytes pass unchanged")
    func identity() throws {
        #expect(try decode(Self.text.inChunks(of: 11), []) == Self.text)
        #expect(try decode(Self.text.inChunks(of: 11), [.identity]) == Self.text)
    }

    @Test("data of another coding is refused, and so is a preset dictionary")
    func foreign() throws {
        #expect(failure(of: [Self.text], [.gzip]) == .corrupt(reason: "incorrect header check"))
        #expect(failure(of: [try encode(Self.text, [.gzip])], [.deflate]) != nil)
        #expect(
            failure(of: [Bytes([0x78, 0xBB, 0, 0, 0, 1, 3, 0])], [.deflate])
                == .corrupt(reason: "a preset dictionary is needed"))
    }

    @Test("the decoder repeats its first error and gives nothing after it")
    func sticky() throws {
        let decoder = ContentDecoder([.gzip])
        decoder.push(Bytes("not gzip at all"))
        for _ in 0..<2 {
            #expect(throws: CodecError.corrupt(reason: "incorrect header check")) { try decoder.next() }
            #expect(throws: CodecError.corrupt(reason: "incorrect header check")) { try decoder.finish() }
            decoder.push(Self.text)
        }
    }

    @Test("the decoder reports calls out of order instead of losing bytes")
    func misuse() throws {
        let coded = try encode(Self.text, [.gzip])
        let undrained = ContentDecoder([.gzip])
        undrained.push(coded)
        #expect(throws: CodecError.misuse) { try undrained.finish() }

        let ended = ContentDecoder([.gzip])
        try ended.finish()
        try ended.finish()
        #expect(try ended.next() == nil)
        ended.push(coded)
        #expect(throws: CodecError.misuse) { try ended.next() }
    }

    @Test("the decoder accepts several chunks before output is requested")
    func pushedTwice() throws {
        let decoder = ContentDecoder([.gzip])
        for chunk in try encode(Self.text, [.gzip]).inChunks(of: 5) { decoder.push(chunk) }
        #expect(try decoder.next() == Self.text)
        #expect(try decoder.next() == nil)
        try decoder.finish()
    }

    @Test("the decoder gives the content of a flushed piece at once, so that live streams work")
    func flushed() throws {
        // A fixed-code block "a", then an empty stored block, as a sync flush writes it.
        let flushed = Bytes([0x4A, 0x04, 0x00, 0x00, 0x00, 0xFF, 0xFF])
        let decoder = ContentDecoder([.deflate])
        decoder.push(flushed)
        #expect(try decoder.next() == Bytes("a"))
        #expect(try decoder.next() == nil)
        #expect(throws: CodecError.truncated) { try decoder.finish() }
    }

    private func crc32(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0 as UInt32) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
        }
    }
}
