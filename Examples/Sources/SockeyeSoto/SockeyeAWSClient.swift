import Foundation
import Logging
import NIOCore
import NIOHTTP1
import Sockeye
import SockeyeNIO
import SotoCore

/// Sends the requests of Soto over Sockeye.
public struct SockeyeAWSClient: AWSHTTPClient {
    private let client: HTTPClient

    /// Makes a client of AWS from a client of HTTP.
    public init(_ client: HTTPClient = .shared) {
        self.client = client
    }

    /// Sends a signed request as it is, and returns the response before its
    /// content has arrived.
    ///
    /// - Parameter timeout: The longest time without progress.
    public func execute(
        request: AWSHTTPRequest, timeout: TimeAmount, logger: Logger
    ) async throws -> AWSHTTPResponse {
        let limit = Duration.nanoseconds(timeout.nanoseconds)
        var options = OutgoingRequest.Options.timeout(head: limit, stall: limit)
        // Objects are delivered as they were stored, for their checksums.
        options.decompresses = false
        do {
            let outgoing = try await OutgoingRequest(
                method: HTTPRequest.Method(request.method),
                url: request.url.absoluteString,
                headers: Headers(request.headers),
                body: Self.content(of: request.body), options: options)
            try Self.check(outgoing.url, against: request.url)
            let response = try await client.send(outgoing)
            return AWSHTTPResponse(
                status: HTTPResponseStatus(of: response),
                headers: HTTPHeaders(response.headers),
                body: AWSHTTPBody(
                    asyncSequence: response.buffers,
                    length: response.body.expectedLength))
        } catch let error as SockeyeError {
            switch error.code {
            case .bodyLengthMismatch:
                throw AWSClient.ClientError.bodyLengthMismatch
            case .cancelled: throw CancellationError()
            default: throw error
            }
        }
    }

    /// Refuses a request if its path would differ from the signed path:
    /// `HTTPURL` removes dot segments, such as the `..` in the key `a/../b`.
    private static func check(_ url: HTTPURL, against signed: URL) throws {
        let path = signed.path(percentEncoded: true)
        guard url.path == (path.isEmpty ? "/" : path) else {
            throw AWSClient.ClientError.invalidURL
        }
    }

    private static func content(
        of body: AWSHTTPBody
    ) async throws -> OutgoingRequest.Body {
        guard !body.isStreaming else {
            return .buffers(body, length: body.length)
        }
        return .buffer(try await body.collect(upTo: .max))
    }
}
