import NIOCore
import NIOHTTP1
import Sockeye

extension OutgoingRequest.Body {
    /// A buffer of NIO as content, which can be sent again.
    ///
    /// A long buffer is sent from its own memory. A short one is copied,
    /// because it is then sent in one write with the head of the request.
    public static func buffer(_ buffer: ByteBuffer) -> Self {
        let view = buffer.readableBytesView
        guard view.count > 16 << 10 else { return .bytes(view) }
        return .writer(length: view.count, isReplayable: true) { body in
            try await body.write(view)
        }
    }

    /// Buffers of NIO as content, each sent from its own memory as it
    /// arrives.
    public static func buffers<Buffers: AsyncSequence & Sendable>(
        _ buffers: Buffers, length: Int? = nil, isReplayable: Bool = false
    ) -> Self where Buffers.Element == ByteBuffer {
        .stream(
            buffers.map(\.readableBytesView), length: length,
            isReplayable: isReplayable)
    }
}

extension HTTPClient.Content {
    /// A buffer of NIO as content, which can be sent again.
    public static func buffer(
        _ buffer: ByteBuffer, contentType: String? = nil
    ) -> Self {
        .body(.buffer(buffer), contentType: contentType)
    }

    /// Buffers of NIO as content, sent as they arrive.
    public static func buffers<Buffers: AsyncSequence & Sendable>(
        _ buffers: Buffers, length: Int? = nil, contentType: String? = nil
    ) -> Self where Buffers.Element == ByteBuffer {
        .body(.buffers(buffers, length: length), contentType: contentType)
    }
}

extension IncomingResponse {
    /// Reads the whole content into a buffer of NIO.
    ///
    /// Each byte is copied, because NIO cannot adopt memory that it did not
    /// allocate. The buffer starts with at most 1 MiB, whatever length the
    /// server announces.
    ///
    /// - Parameter limit: The most bytes to accept; at most 4 GiB, which is
    ///   the limit of a buffer of NIO.
    public func buffer(
        upTo limit: Int = IncomingResponse.defaultCollectLimit,
        allocator: ByteBufferAllocator = ByteBufferAllocator()
    ) async throws -> ByteBuffer {
        let limit = min(limit, Int(UInt32.max))
        guard let length = body.expectedLength, length <= limit else {
            return allocator.buffer(bytes: try await bytes(upTo: limit))
        }
        var buffer = allocator.buffer(capacity: min(length, 1 << 20))
        for try await chunk in body { buffer.writeBytes(chunk) }
        return buffer
    }

    /// The content as buffers of NIO, each copied from a chunk as it arrives.
    public var buffers: AsyncMapSequence<Body, ByteBuffer> {
        body.map { ByteBuffer(bytes: $0) }
    }
}

extension Headers {
    /// Copies the fields of NIO, with their order and repetitions.
    public init(_ fields: HTTPHeaders) {
        self.init()
        reserveCapacity(fields.count)
        for (name, value) in fields { append(Headers.Name(name), value) }
    }
}

extension HTTPHeaders {
    /// Copies the fields, with their order and repetitions.
    public init(_ headers: Headers) {
        self.init(headers.map { ($0.name.description, $0.value) })
    }
}

extension HTTPRequest.Method {
    /// Converts a method of NIO.
    ///
    /// - Throws: ``InvalidMethod`` if it is not a token (RFC 9110 9.1).
    public init(_ method: HTTPMethod) throws {
        guard let own = HTTPRequest.Method(rawValue: method.rawValue) else {
            throw InvalidMethod(text: method.rawValue)
        }
        self = own
    }

    /// The error of a method that is not a token.
    public struct InvalidMethod: Error {
        /// The method.
        public let text: String
    }
}

extension HTTPResponseStatus {
    /// Copies the status of a response, with the server's reason phrase if
    /// the code is not registered.
    public init(of response: IncomingResponse) {
        self.init(
            statusCode: response.status.code, reasonPhrase: response.reason)
    }
}
