import HTTPTypes
public import SockeyeEngine
public import SockeyeHTTP

/// The parts of a multipart body, such as `multipart/byteranges`, as they come: a single-pass sequence.
///
/// ```swift
/// for try await part in try response.parts() {
///     print(part.headers[.contentRange] ?? "", try await part.bytes().count)
/// }
/// ```
///
/// Nothing is read ahead. Asking for the next part skips what was not read of the one before, whose body cannot be read
/// any more then.
public struct MultipartReader: AsyncSequence, Sendable {
    /// A part.
    public typealias Element = MultipartReader.Part
    /// Iterating throws the library's error only.
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

    /// Goes on reading where the last iterator stopped.
    public func makeAsyncIterator() -> Iterator {
        Iterator(source: source)
    }

    /// Reads part by part.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let source: MultipartSource

        /// The next part, or nil behind the last.
        ///
        /// - Throws: ``SockeyeError/Code-swift.struct/malformedResponse`` for a body that is not multipart or ends too early,
        ///   ``SockeyeError/Code-swift.struct/limitExceeded`` by ``MultipartLimits``, and what reading the body throws.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(SockeyeError) -> MultipartReader.Part? {
            guard let part = try await source.nextPart() else { return nil }
            return MultipartReader.Part(source: source, number: part.number, headers: part.fields)
        }

        /// The next part, or nil behind the last. See ``next(isolation:)``.
        public mutating func next() async throws(SockeyeError) -> MultipartReader.Part? {
            try await next(isolation: #isolation)
        }
    }
}

extension IncomingResponse {
    /// The parts of a multipart body, which is read while you iterate.
    ///
    /// - Throws: ``SockeyeError/Code-swift.struct/unacceptableContentType`` unless Content-Type is a multipart type,
    ///   ``SockeyeError/Code-swift.struct/malformedResponse`` if it has no usable boundary.
    public func parts(limits: MultipartLimits = MultipartLimits()) throws(SockeyeError) -> MultipartReader {
        try MultipartReader(ResponseByteSource(body), type: contentType, limits: limits, request: request)
    }
}
