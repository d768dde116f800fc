import HTTPTypes
import Hummingbird
import NIOCore
import Sockeye

// Fields need no bridge: `Headers(request.headers)` converts Hummingbird's fields, which are `HTTPFields` of
// swift-http-types, and `HTTPFields(answer.headers)` converts them back.

extension HTTPClient.Content {
    /// The content of a Hummingbird request as it arrives; nil if no field frames any (RFC 9112 6.3).
    static func streaming(_ request: Request) -> HTTPClient.Content? {
        let length = request.headers[.contentLength].flatMap { Int($0) }
        guard length != nil || request.headers.contains(.transferEncoding) else { return nil }
        return .stream(request.body.map(\.readableBytesView), length: length)
    }

    /// Content from a buffer of NIO; it can be sent again.
    static func buffer(_ buffer: ByteBuffer, contentType: String? = nil) -> HTTPClient.Content {
        .bytes(buffer.readableBytesView, contentType: contentType)
    }
}

extension IncomingResponse {
    /// Returns the whole content as a buffer of NIO.
    func buffer(upTo limit: Int = IncomingResponse.defaultCollectLimit) async throws -> ByteBuffer {
        ByteBuffer(bytes: try await bytes(upTo: limit))
    }

    /// The content as the body of a Hummingbird response, read only as fast as the gateway's client receives it.
    var streaming: ResponseBody {
        ResponseBody { writer in
            for try await chunk in body { try await writer.write(ByteBuffer(bytes: chunk)) }
            try await writer.finish(nil)
        }
    }
}
