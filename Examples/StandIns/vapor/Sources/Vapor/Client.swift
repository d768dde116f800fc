@_exported public import Logging
public import NIOCore
public import NIOHTTP1

// Vapor exports these, too.
@_exported import struct NIOCore.ByteBuffer
@_exported import struct NIOCore.ByteBufferAllocator
@_exported import protocol NIOCore.EventLoop
@_exported import class NIOCore.EventLoopFuture
@_exported import protocol NIOCore.EventLoopGroup
@_exported import struct NIOHTTP1.HTTPHeaders
@_exported import enum NIOHTTP1.HTTPMethod
@_exported import enum NIOHTTP1.HTTPResponseStatus

/// The type that Vapor exports from async-http-client, without its members. A file that imports Vapor and Sockeye has
/// two types named `HTTPClient`.
public final class HTTPClient: Sendable {}

/// The status of a response.
public typealias HTTPStatus = HTTPResponseStatus

/// The part of an application that sends requests.
public protocol Client: Sendable {
    /// The event loop on which futures complete.
    var eventLoop: any EventLoop { get }
    /// Makes the buffers of responses.
    var byteBufferAllocator: ByteBufferAllocator { get }
    /// Returns the same client on another event loop.
    func delegating(to eventLoop: any EventLoop) -> any Client
    /// Returns the same client with another logger.
    func logging(to logger: Logger) -> any Client
    /// Returns the same client with another allocator.
    func allocating(to byteBufferAllocator: ByteBufferAllocator) -> any Client
    /// Sends a request and returns the response with its content.
    func send(_ request: ClientRequest) -> EventLoopFuture<ClientResponse>
}

extension Client {
    /// Returns this client.
    public func logging(to logger: Logger) -> any Client { self }

    /// Returns this client.
    public func allocating(to byteBufferAllocator: ByteBufferAllocator) -> any Client { self }

    /// A new allocator.
    public var byteBufferAllocator: ByteBufferAllocator { ByteBufferAllocator() }

    /// Sends a request and returns the response with its content.
    public func send(_ request: ClientRequest) async throws -> ClientResponse { try await send(request).get() }
}

/// A request with its content.
public struct ClientRequest: Sendable {
    /// The method.
    public var method: HTTPMethod
    /// The target.
    public var url: URI
    /// The fields.
    public var headers: HTTPHeaders
    /// The content.
    public var body: ByteBuffer?
    /// The time limit of the request.
    public var timeout: TimeAmount?

    /// Makes a request.
    public init(
        method: HTTPMethod = .GET, url: URI = "/", headers: HTTPHeaders = [:], body: ByteBuffer? = nil,
        timeout: TimeAmount?, byteBufferAllocator: ByteBufferAllocator = ByteBufferAllocator()
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
    }
}

/// A response with its content.
public struct ClientResponse: Sendable {
    /// The status.
    public var status: HTTPStatus
    /// The fields.
    public var headers: HTTPHeaders
    /// The content.
    public var body: ByteBuffer?

    /// Makes a response.
    public init(
        status: HTTPStatus = .ok, headers: HTTPHeaders = [:], body: ByteBuffer? = nil,
        byteBufferAllocator: ByteBufferAllocator = ByteBufferAllocator()
    ) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// The target of a request.
public struct URI: ExpressibleByStringInterpolation, Sendable {
    /// The target as text.
    public var string: String

    /// Makes a target.
    public init(string: String = "/") { self.string = string }

    /// Makes a target.
    public init(stringLiteral value: String) { self.init(string: value) }
}
