#if Images
import SockeyeImages
import SockeyeTesting
import Testing

@Suite("Image serializers", .timeLimit(.minutes(1)))
struct ImageSerializerTests {
    /// A GIF of 3 by 2 pixels: header, one frame, trailer.
    private static let gif: [UInt8] =
        Array("GIF89a".utf8) + [3, 0, 2, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
        + [0x2C, 0, 0, 0, 0, 3, 0, 2, 0, 0, 2, 2, 0x44, 0x01, 0, 0x3B]

    private func answering(_ response: TestServerResponse) -> HTTPClient {
        HTTPClient(transport: MockTransport { _ in response })
    }

    /// Returns `start`, then `piece` 8192 times, which is more than a client may read.
    private static func endless(after start: [UInt8], _ piece: [UInt8]) -> AsyncStream<[UInt8]> {
        AsyncStream { chunks in
            chunks.yield(start)
            for _ in 0..<8192 { chunks.yield(piece) }
            chunks.finish()
        }
    }

    @Test(
        "a response read as an image has the image's format, its size and the bytes of its file",
        arguments: ["image/gif", "image/png", "image/webp"])
    func image(type: String) async throws {
        let client = answering(.bytes(Bytes(Self.gif), contentType: type))
        let image = try await client.get("http://example.com/", as: .image)
        #expect(image.info.format == .gif)
        #expect(image.info.width == 3)
        #expect(image.info.height == 2)
        #expect(image.info.frameCount == 1)
        #expect(image.bytes == Bytes(Self.gif))
    }

    @Test("each kind of invalid or incomplete image has its own error")
    func faults() async throws {
        let absurd = Array("GIF89a".utf8) + [255, 255, 255, 255] + Self.gif.dropFirst(10)
        let rows: [(Bytes, ImageError.Kind)] = [
            (Bytes("<html>"), .unknownFormat), (Bytes(Self.gif.prefix(20)), .truncated), (Bytes(absurd), .tooLarge),
        ]
        for (bytes, kind) in rows {
            let client = answering(.bytes(bytes, contentType: "image/gif"))
            let error = await #expect(throws: SockeyeError.self) {
                try await client.get("http://example.com/", as: .image)
            }
            #expect(error?.code == .decodingFailed)
            #expect((error?.underlying as? ImageError)?.kind == kind)
        }
    }

    @Test("an image with another media type is refused")
    func type() async throws {
        let client = answering(.bytes(Bytes(Self.gif), contentType: "application/octet-stream"))
        let error = await #expect(throws: SockeyeError.self) {
            try await client.get("http://example.com/", as: .imageInfo)
        }
        #expect(error?.code == .unacceptableContentType)
    }

    @Test("image information is returned before the whole image arrives, and the rest is not read")
    func peek() async throws {
        // An endless file: a serializer that waited for its end would fail at the limit of collecting.
        let endless = Self.endless(after: Array(Self.gif.prefix(14)), [UInt8](repeating: 0, count: 4096))
        try await withTestServer { _ in
            .stream(endless, headers: [.contentType: "image/gif"])
        } run: { server in
            let info = try await HTTPClient().get(server.url(), as: .imageInfo)
            #expect(info.width == 3)
        }
    }

    @Test("an image that never gives its size is abandoned at the limit")
    func limit() async throws {
        let segment: [UInt8] = [0xFF, 0xE1, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 65533)
        let endless = Self.endless(after: [0xFF, 0xD8], segment)
        let client = answering(.stream(endless, headers: [.contentType: "image/jpeg"]))
        let error = await #expect(throws: SockeyeError.self) {
            try await client.get("http://example.com/", as: .imageInfo)
        }
        #expect(error?.code == .limitExceeded)
    }

    @Test("only the bytes within the limit are parsed, however the body is cut into pieces")
    func exactLimit() async throws {
        let segment: [UInt8] = [0xFF, 0xE1, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 65533)
        let rows: [(pieces: [[UInt8]], limit: Int, width: Int?)] = [
            ([Self.gif], 14, 3), ([Array(Self.gif.prefix(6)), Array(Self.gif.dropFirst(6))], 14, 3),
            ([Self.gif], 6, nil), ([Array(Self.gif.prefix(6)), Array(Self.gif.dropFirst(6))], 6, nil),
            // Only the last piece of this body exceeds the limit. The body has then not doubled since the serializer
            // last parsed it.
            ([[0xFF, 0xD8], segment, segment], 100_000, nil),
        ]
        for (pieces, limit, width) in rows {
            let body = AsyncStream<[UInt8]> { chunks in
                for piece in pieces { chunks.yield(piece) }
                chunks.finish()
            }
            let client = answering(.stream(body, headers: [.contentType: "image/gif"]))
            let serializer = ImageInfoResponseSerializer(limit: limit)
            if let width {
                #expect(try await client.get("http://example.com/", as: serializer).width == width)
            } else {
                let error = await #expect(throws: SockeyeError.self) {
                    try await client.get("http://example.com/", as: serializer)
                }
                #expect(error?.code == .limitExceeded)
            }
        }
    }
}
#endif
