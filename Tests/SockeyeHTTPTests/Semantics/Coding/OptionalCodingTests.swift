import SockeyeCore
import SockeyeHTTP
import Testing

/// The codings br and zstd, which are linked with traits of the package.
@Suite struct OptionalCodingTests {
    static let codings = [ContentCoding.brotli, .zstandard].filter(\.isLinked)

    @Test("coded content decodes to the original, whole and byte by byte, at several levels", arguments: codings)
    func roundTrip(coding: ContentCoding) throws {
        let text = Bytes((0..<20_000).map { UInt8(truncatingIfNeeded: $0 % 251 &* ($0 >> 8)) })
        for level in [coding.levels.lowerBound, coding.defaultLevel, coding.levels.upperBound] {
            let coded = try ContentEncoder.encode(text, as: coding, level: level)
            #expect(coded.count < text.count)
            #expect(try decode([coded], [coding]) == text)
            #expect(try decode(coded.inChunks(of: 1), [coding]) == text)
        }
        #expect(throws: CodecError.misuse) { try ContentEncoder(coding, level: coding.levels.upperBound + 1) }
    }

    @Test(
        "the decoder stops a decompression bomb at the limit of decoded bytes", .timeLimit(.minutes(1)),
        arguments: codings)
    func bomb(coding: ContentCoding) throws {
        let coded = try ContentEncoder.encode(Bytes([UInt8](repeating: 0, count: 64 << 20)), as: coding)
        #expect(coded.count < 1 << 16)
        let decoder = ContentDecoder([coding], limits: DecodingLimits(maximumBytes: 1 << 20))
        decoder.push(coded)
        #expect(throws: CodecError.tooLarge(limit: 1 << 20)) { while try decoder.next() != nil {} }
        #expect(decoder.progress.decoded < 2 << 20)
    }

    @Test(
        "a body that is cut anywhere is reported as truncated, and a body with further bytes is refused",
        arguments: codings)
    func ends(coding: ContentCoding) throws {
        let coded = try ContentEncoder.encode(Bytes(Array("what was coded comes back".utf8)), as: coding)
        for cut in 1..<coded.count { #expect(failure(of: [coded.slice(0..<cut)], [coding]) == .truncated, "\(cut)") }
        #expect(failure(of: [coded, Bytes(Array("garbage".utf8))], [coding]) == .trailingGarbage)
        #expect(try decode([], [coding]) == Bytes())
    }

    /// Returns a frame of one raw block (RFC 8878 3.1.1) with a window descriptor and optionally a dictionary ID.
    private func frame(windowLog: UInt8, dictionary: UInt8? = nil) -> Bytes {
        let head: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, dictionary == nil ? 0 : 1, (windowLog - 10) << 3]
        return Bytes(head + (dictionary.map { [$0] } ?? []) + [0x09, 0, 0, UInt8(ascii: "A")])
    }

    @Test("windows of more than 8 MiB are refused (RFC 9659 3)", .enabled(if: ContentCoding.zstandard.isLinked))
    func window() throws {
        #expect(try decode([frame(windowLog: 23)], [.zstandard]) == Bytes(Array("A".utf8)))
        #expect(failure(of: [frame(windowLog: 24)], [.zstandard]) != nil)
    }

    @Test("a frame that needs a dictionary is refused", .enabled(if: ContentCoding.zstandard.isLinked))
    func dictionary() {
        #expect(failure(of: [frame(windowLog: 20, dictionary: 7)], [.zstandard]) != nil)
    }

    @Test(
        "successive frames are decoded, and skippable ones are skipped (RFC 8878 3.1.2)",
        .enabled(if: ContentCoding.zstandard.isLinked))
    func frames() throws {
        let skipped = Bytes([0x50, 0x2A, 0x4D, 0x18, 2, 0, 0, 0, 1, 2])
        let pieces = [frame(windowLog: 20), skipped, frame(windowLog: 20)]
        #expect(try decode(pieces, [.zstandard]) == Bytes(Array("AA".utf8)))
        #expect(try decode(Bytes(joinedFrom: pieces).inChunks(of: 1), [.zstandard]) == Bytes(Array("AA".utf8)))
    }

    @Test("an unlinked coding is refused with the name of its trait", arguments: [ContentCoding.brotli, .zstandard])
    func unlinked(coding: ContentCoding) throws {
        guard let trait = coding.missingTrait else {
            #expect(try ContentCoding.parse([coding.rawValue]) == [coding])
            return
        }
        #expect(throws: CodecError.notLinked(coding, trait: trait)) { try ContentEncoder(coding) }
        #expect(failure(of: [Bytes("a")], [coding]) == .notLinked(coding, trait: trait))
        #expect(throws: CodecError.unsupported(coding: coding.rawValue)) { try ContentCoding.parse([coding.rawValue]) }
    }
}

extension Bytes {
    fileprivate init(joinedFrom pieces: [Bytes]) { self.init(pieces.flatMap { Array($0) }) }
}
