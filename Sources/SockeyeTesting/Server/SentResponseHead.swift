import HTTPTypes
import SockeyeCore
import SockeyeHTTP

/// Chooses the framing of a response and writes its head (RFC 9112 sections 6 and 9).
struct SentResponseHead {
    /// The rule by which the client finds the end of the body.
    enum Framing: Equatable {
        /// No body, whatever the headers say.
        case none
        case length(remaining: Int)
        case chunked
        case untilClose
    }

    var status: HTTPResponse.Status
    var headers: Headers
    var framing: Framing
    var keepsAlive: Bool
    private let isHTTP10: Bool

    /// - Parameter length: The length of the body; nil if it is unknown.
    init(
        _ status: HTTPResponse.Status, _ headers: Headers, length: Int?, hasTrailers: Bool,
        to request: ReceivedRequestHead,
        keepsAlive: Bool
    ) {
        self.status = status
        self.headers = headers
        isHTTP10 = request.minorVersion == 0
        let isBodyless = request.method == "HEAD" || status.code == 204 || status.code == 304 || status.code < 200
        if isBodyless {
            framing = .none
            // A response to HEAD may state the length of the body that a response to GET would have.
            if request.method == "HEAD", let length, !headers.contains(.contentLength) {
                self.headers[.contentLength] = String(length)
            }
            // A 1xx or 204 response must have neither Content-Length nor Transfer-Encoding (RFC 9110 8.6, RFC 9112
            // 6.1).
            if status.code == 204 || status.code < 200 {
                self.headers[.contentLength] = nil
                self.headers[.transferEncoding] = nil
            }
        } else {
            self.headers[.contentLength] = nil
            self.headers[.transferEncoding] = nil
            framing =
                if let length, !hasTrailers || isHTTP10 { .length(remaining: length) } else {
                    isHTTP10 ? .untilClose : .chunked
                }
        }
        self.keepsAlive = keepsAlive && framing != .untilClose && !Self.asksToClose(headers)
    }

    private static func asksToClose(_ headers: Headers) -> Bool {
        headers[values: .connection].contains { value in
            value.split { ", \t".contains($0) }.contains { $0.lowercased() == "close" }
        }
    }

    func append(to buffer: inout [UInt8]) {
        buffer.append(contentsOf: isHTTP10 ? "HTTP/1.0 ".utf8 : "HTTP/1.1 ".utf8)
        buffer.append(decimal: status.code)
        buffer.append(.space)
        buffer.append(contentsOf: (status.reasonPhrase.isEmpty ? .known(status.code) : status).reasonPhrase.utf8)
        buffer.append(contentsOf: "\r\n".utf8)
        Self.append(headers, to: &buffer)
        switch framing {
        case .length(let length):
            buffer.append(contentsOf: "Content-Length: ".utf8)
            buffer.append(decimal: length)
            buffer.append(contentsOf: "\r\n".utf8)
        case .chunked: buffer.append(contentsOf: "Transfer-Encoding: chunked\r\n".utf8)
        case .none, .untilClose: break
        }
        if !headers.contains(.connection), status.code >= 200 {
            if !keepsAlive { buffer.append(contentsOf: "Connection: close\r\n".utf8) }
            if keepsAlive && isHTTP10 { buffer.append(contentsOf: "Connection: keep-alive\r\n".utf8) }
        }
        buffer.append(contentsOf: "\r\n".utf8)
    }

    static func append(_ headers: Headers, to buffer: inout [UInt8]) {
        for (name, value) in headers {
            buffer.append(contentsOf: name.description.utf8)
            buffer.append(.colon)
            buffer.append(.space)
            buffer.append(contentsOf: value.utf8)
            buffer.append(contentsOf: "\r\n".utf8)
        }
    }
}

extension [UInt8] {
    mutating func append(decimal number: Int) {
        append(contentsOf: String(number).utf8)
    }

    /// Appends the size line of a chunk.
    mutating func append(chunkOf count: Int) {
        append(contentsOf: String(count, radix: 16).utf8)
        append(contentsOf: "\r\n".utf8)
    }
}
