public import Foundation
public import HTTPTypes

/// The part of a generated client that sends requests.
public protocol ClientTransport: Sendable {
    /// Sends a request and returns the response.
    func send(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: URL, operationID: String
    ) async throws -> (HTTPResponse, HTTPBody?)
}

/// The number of times that a body can be iterated.
public enum IterationBehavior: Sendable {
    /// At most once.
    case single
    /// Any number of times.
    case multiple
}
