import SockeyeCore
import SockeyeHTTP

/// Content codings, each with its library, and the streams of WebSocket compression.
enum CodingCases {
    static var all: [OwnerCase] {
        ContentCoding.allCases.filter { $0 != .identity && $0.isLinked }.flatMap { coding in
            encoding(coding) + InflateLibrary.allCases.map { decoding(coding, $0) }
        } + [
            OwnerCase("deflate of messages") { _ = try Deflater(rawWindowBits: 15, level: 6) },
            OwnerCase("inflate of messages") { _ = try Inflater(rawWindowBits: 15) },
            OwnerCase("deflate with a level that does not exist") { try Self.expectFailure() },
            // OpenSSL keeps the errors of each thread in memory.
            OwnerCase("SHA-256", checksMemory: false) {
                guard let hash = IncrementalHash(.sha256) else { throw OutOfMemory() }
                hash.update(Bytes("abc"))
                guard hash.finish().count == 32 else { throw OutOfMemory() }
            },
        ]
    }

    struct OutOfMemory: Error {}

    private static let text = Bytes(String(repeating: "All work and no play. ", count: 500))

    private static func encoded(_ coding: ContentCoding) throws -> [Bytes] {
        let encoder = try ContentEncoder(coding)
        encoder.push(text)
        encoder.finish()
        var pieces: [Bytes] = []
        while let piece = try encoder.next() { pieces.append(piece) }
        return pieces
    }

    /// Returns the case of encoding, but no case for Brotli, because its encoder ends the process if an allocation
    /// fails.
    private static func encoding(_ coding: ContentCoding) -> [OwnerCase] {
        coding.rawValue == "br" ? [] : [OwnerCase("encoding \(coding)") { _ = try encoded(coding) }]
    }

    private static func decoding(_ coding: ContentCoding, _ library: InflateLibrary) -> OwnerCase {
        let pieces = (try? encoded(coding)) ?? []
        return OwnerCase("decoding \(coding) by \(library)") {
            let decoder = ContentDecoder([coding], inflate: library)
            var count = 0
            for piece in pieces {
                decoder.push(piece)
                while let decoded = try decoder.next() { count += decoded.count }
            }
            try decoder.finish()
            guard count == text.count else { throw OutOfMemory() }
        }
    }

    private static func expectFailure() throws {
        guard (try? Deflater(rawWindowBits: 15, level: 10)) == nil else { throw OutOfMemory() }
    }
}
