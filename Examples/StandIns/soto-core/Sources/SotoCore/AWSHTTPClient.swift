public import Foundation
public import Logging
public import NIOCore
public import NIOHTTP1

@_exported import struct Logging.Logger
@_exported import struct NIOCore.ByteBuffer
@_exported import struct NIOCore.TimeAmount
@_exported import struct NIOHTTP1.HTTPHeaders
@_exported import enum NIOHTTP1.HTTPMethod

/// The part of a client of AWS that sends requests.
public protocol AWSHTTPClient: Sendable {
    /// Sends a request and returns the response.
    func execute(request: AWSHTTPRequest, timeout: TimeAmount, logger: Logger) async throws -> AWSHTTPResponse
    /// Ends the client.
    func shutdown() async throws
}

extension AWSHTTPClient {
    /// Does nothing.
    public func shutdown() async throws {}
}

/// A signed request.
public struct AWSHTTPRequest: Sendable {
    /// The target.
    public var url: URL
    /// The method.
    public let method: HTTPMethod
    /// The fields, Host included.
    public var headers: HTTPHeaders
    /// The content.
    public var body: AWSHTTPBody

    /// Makes a request.
    public init(url: URL, method: HTTPMethod, headers: HTTPHeaders, body: AWSHTTPBody) {
        self.url = url
        self.method = method
        self.headers = headers
        self.body = body
    }
}

/// A response, of which the content may not have been read yet.
public struct AWSHTTPResponse: Sendable {
    /// The status.
    public let status: HTTPResponseStatus
    /// The fields.
    public var headers: HTTPHeaders
    /// The content.
    public var body: AWSHTTPBody

    /// Makes a response.
    public init(status: HTTPResponseStatus, headers: HTTPHeaders, body: AWSHTTPBody = .init()) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// The decision about another attempt; its requirement is left out. Sockeye has a type of the same name.
public protocol RetryPolicy: Sendable {}

/// A client of AWS.
public final class AWSClient: Sendable {
    /// The part that sends requests.
    public let httpClient: any AWSHTTPClient

    /// Makes a client.
    public init(httpClient: any AWSHTTPClient) { self.httpClient = httpClient }

    /// An error of the client itself.
    public struct ClientError: Error, Equatable {
        private let text: String

        /// The URL of a request cannot be used.
        public static var invalidURL: ClientError { ClientError(text: "invalidURL") }
        /// The content of a request is not as long as declared.
        public static var bodyLengthMismatch: ClientError { ClientError(text: "bodyLengthMismatch") }
    }
}
