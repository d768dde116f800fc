import HTTPTypes
import Hummingbird
import NIOCore
import Sockeye
import SockeyeNIO

// Fields need no bridge: `Headers(request.headers)` converts Hummingbird's fields, which are `HTTPFields` of
// swift-http-types, and `HTTPFields(answer.headers)` converts them back.

extension HTTPClient.Content {
    /// The content of a Hummingbird request as it arrives; nil if no field frames any (RFC 9112 6.3).
    static func streaming(_ request: Request) -> HTTPClient.Content? {
        let length = request.headers[.contentLength].flatMap { Int($0) }
        guard length != nil || request.headers.contains(.transferEncoding) else { return nil }
        return .buffers(request.body, length: length)
    }
}

extension IncomingResponse {
    /// The content as the body of a Hummingbird response, read only as fast as the gateway's client receives it.
    var streaming: ResponseBody {
        ResponseBody { writer in
            for try await buffer in buffers { try await writer.write(buffer) }
            try await writer.finish(nil)
        }
    }
}
