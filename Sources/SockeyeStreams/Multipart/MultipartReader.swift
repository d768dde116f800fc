import HTTPTypes
public import SockeyeEngine
import SockeyeHTTP

/// A single-pass sequence of the parts of a multipart body, such as `multipart/byteranges`, in the order of their
/// arrival.
///
/// ```swift
/// for try await part in try response.parts() {
///     print(part.headers[.contentRange] ?? "", try await part.bytes().count)
/// }
/// ```
///
/// Nothing is read ahead. Requesting the next part skips the unread rest of the previous one, which cannot be read
/// afterwards.
public struct MultipartReader: AsyncSequence, Sendable {
    /// A part.
    public typealias Element = MultipartReader.Part
    /// The library's error type; iterating throws no other.
    public typealias Failure = SockeyeError

    private let source: MultipartSource

    init(
        _ input: any MultipartByteSource, type: InternetMediaType?, limits: MultipartLimits, request: RequestIdentity?
    ) throws(SockeyeError) {
        guard let type, type.type == "multipart" else {
            let message = "the content is not multipart"
            throw SockeyeError(.init(.unacceptableContentType, phase: .decode, blame: .peer, message: message))
                .about(request)
        }
        guard let boundary = type["boundary"].flatMap({ MultipartBoundary(received: $0) }) else {
            let message = MultipartFault.badBoundary.description
            throw SockeyeError(.init(.malformedResponse, phase: .decode, blame: .peer, message: message))
                .about(request)
        }
        source = MultipartSource(input, boundary: boundary, limits: limits, request: request)
    }

    /// Returns an iterator that continues where the last one stopped.
    public func makeAsyncIterator() -> Iterator {
        Iterator(source: source)
    }

    /// Reads part by part.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let source: MultipartSource

        /// Returns the next part, or nil after the last one.
        ///
        /// - Throws: ``/Sockeye/SockeyeError/Code-swift.struct/malformedResponse`` if the body is not multipart or
        ///   ends too early, ``/Sockeye/SockeyeError/Code-swift.struct/limitExceeded`` if it exceeds the
        ///   ``MultipartLimits``, and the errors of reading the body.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(SockeyeError) -> MultipartReader.Part? {
            guard let part = try await source.nextPart() else { return nil }
            return MultipartReader.Part(source: source, number: part.number, headers: part.fields)
        }

        /// Returns the next part, or nil after the last one. See ``next(isolation:)``.
        public mutating func next() async throws(SockeyeError) -> MultipartReader.Part? {
            try await next(isolation: #isolation)
        }
    }
}

extension IncomingResponse {
    /// Returns the parts of a multipart body, which is read while you iterate.
    ///
    /// - Throws: ``/Sockeye/SockeyeError/Code-swift.struct/unacceptableContentType`` unless Content-Type is a
    ///   multipart type, and ``/Sockeye/SockeyeError/Code-swift.struct/malformedResponse`` if it has no usable
    ///   boundary.
    public func parts(limits: MultipartLimits = MultipartLimits()) throws(SockeyeError) -> MultipartReader {
        try MultipartReader(ResponseByteSource(self), type: contentType, limits: limits, request: request)
    }
}
