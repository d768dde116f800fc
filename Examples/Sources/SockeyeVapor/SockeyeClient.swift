import NIOCore
import NIOHTTP1
import Sockeye
import SockeyeNIO
import Vapor

/// Vapor's client over Sockeye.
public struct SockeyeClient: Client {
    /// The event loop on which futures complete.
    public let eventLoop: any EventLoop
    /// Makes the buffers of responses.
    public var byteBufferAllocator = ByteBufferAllocator()
    /// The most bytes of content that a response may have.
    public var contentLimit = IncomingResponse.defaultCollectLimit
    // Vapor exports the HTTPClient of async-http-client.
    private let client: Sockeye.HTTPClient

    /// Makes a client whose futures complete on an event loop.
    public init(_ client: Sockeye.HTTPClient, on eventLoop: any EventLoop) {
        self.client = client
        self.eventLoop = eventLoop
    }

    /// Returns this client with another event loop.
    public func delegating(to eventLoop: any EventLoop) -> any Client {
        var copy = SockeyeClient(client, on: eventLoop)
        copy.byteBufferAllocator = byteBufferAllocator
        copy.contentLimit = contentLimit
        return copy
    }

    /// Returns this client with another allocator.
    public func allocating(
        to byteBufferAllocator: ByteBufferAllocator
    ) -> any Client {
        var copy = self
        copy.byteBufferAllocator = byteBufferAllocator
        return copy
    }

    /// Sends a request and returns the response with its content.
    ///
    /// The future fails with a `SockeyeError` if there is no response, and
    /// if the content is longer than the limit.
    public func send(
        _ request: ClientRequest
    ) -> EventLoopFuture<ClientResponse> {
        eventLoop.makeFutureWithTask { try await response(to: request) }
    }

    private func response(
        to request: ClientRequest
    ) async throws -> ClientResponse {
        var options = OutgoingRequest.Options()
        if let limit = request.timeout {
            options = .timeout(total: .nanoseconds(limit.nanoseconds))
        }
        let response = try await client.send(
            OutgoingRequest(
                method: HTTPRequest.Method(request.method),
                url: request.url.string, headers: Headers(request.headers),
                body: request.body.map { .buffer($0) } ?? .none,
                options: options))
        let content = try await response.buffer(
            upTo: contentLimit, allocator: byteBufferAllocator)
        return ClientResponse(
            status: HTTPResponseStatus(of: response),
            headers: HTTPHeaders(response.headers),
            body: content.readableBytes > 0 ? content : nil,
            byteBufferAllocator: byteBufferAllocator)
    }
}

extension Application.Clients.Provider {
    /// Sends the requests of the application over Sockeye.
    ///
    /// - Parameter contentLimit: The most bytes of content that a response may
    ///   have.
    public static func sockeye(
        _ client: Sockeye.HTTPClient,
        contentLimit: Int = IncomingResponse.defaultCollectLimit
    ) -> Self {
        Self { application in
            application.clients.use { application in
                let eventLoop = application.eventLoopGroup.any()
                var sockeye = SockeyeClient(client, on: eventLoop)
                sockeye.contentLimit = contentLimit
                return sockeye
            }
        }
    }
}
