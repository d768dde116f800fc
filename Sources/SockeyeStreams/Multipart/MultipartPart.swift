public import SockeyeCore
public import SockeyeEngine
public import SockeyeHTTP

extension MultipartReader {
    /// A part of a multipart body. Its fields have been received; its content is read on demand.
    public struct Part: Sendable {
        /// The fields of the part, in order.
        public let headers: Headers
        /// The content. It can be read once, and only until the next part is requested.
        public let body: Body
        private let disposition: FormDisposition?

        init(source: MultipartSource, number: Int, headers: Headers) {
            self.headers = headers
            body = Body(source: source, number: number)
            disposition = headers[.contentDisposition].flatMap { FormDisposition(parsing: $0) }
        }

        /// The field name of a form part (RFC 7578 4.2); nil outside of forms.
        public var name: String? { disposition?.name }

        /// The file name of a form part as sent. It may contain a path, so opening a file by this name is not safe.
        public var filename: String? { disposition?.filename }

        /// The media type of the content; nil if Content-Type is missing or invalid. For a part of a form, a missing
        /// Content-Type means `text/plain` (RFC 7578 4.4).
        public var contentType: InternetMediaType? { headers[.contentType].flatMap { InternetMediaType($0) } }

        /// Reads the whole content into memory.
        ///
        /// - Parameter limit: The maximum number of bytes. Default: 16 MiB.
        /// - Throws: ``/Sockeye/SockeyeError/Code-swift.struct/limitExceeded`` beyond the limit, and the errors of
        ///   reading.
        public func bytes(upTo limit: Int = IncomingResponse.defaultCollectLimit) async throws(SockeyeError) -> Bytes {
            var collected = BytesAccumulator(expected: nil)
            var iterator = body.makeAsyncIterator()
            while let piece = try await iterator.next() {
                guard piece.count <= limit - collected.count else {
                    throw SockeyeError.tooLarge(limit: limit, seen: collected.count + piece.count)
                }
                collected.append(piece)
            }
            return collected.finish()
        }

        /// Returns the parts of a part that is itself multipart. See ``Sockeye/IncomingResponse/parts(limits:)``.
        public func parts(limits: MultipartLimits = MultipartLimits()) throws(SockeyeError) -> MultipartReader {
            try MultipartReader(body, type: contentType, limits: limits, request: nil)
        }

        /// The content of a part, read from the socket as you iterate.
        public struct Body: AsyncSequence, MultipartByteSource {
            /// A non-empty chunk.
            public typealias Element = Bytes
            /// The library's error type.
            public typealias Failure = SockeyeError

            fileprivate let source: MultipartSource
            fileprivate let number: Int

            /// Returns an iterator that continues where the last one stopped.
            public func makeAsyncIterator() -> Iterator {
                Iterator(body: self)
            }

            func next() async throws(SockeyeError) -> Bytes? {
                try await source.nextPiece(of: number)
            }

            /// Does nothing: the reader of the enclosing body skips the rest of this part.
            func drain(upTo limit: Int) async {}

            /// Reads the content chunk by chunk.
            public struct Iterator: AsyncIteratorProtocol {
                fileprivate let body: Body

                /// Returns the next chunk, or nil at the end of the part.
                ///
                /// - Throws: ``/Sockeye/SockeyeError/Code-swift.struct/bodyConsumed`` after the next part was
                ///   requested, or while another task reads. Also all errors of
                ///   ``MultipartReader/Iterator/next(isolation:)``.
                public mutating func next(
                    isolation actor: isolated (any Actor)? = #isolation
                ) async throws(SockeyeError) -> Bytes? {
                    try await body.next()
                }

                /// Returns the next chunk, or nil at the end of the part. See ``next(isolation:)``.
                public mutating func next() async throws(SockeyeError) -> Bytes? {
                    try await next(isolation: #isolation)
                }
            }
        }
    }
}

extension MultipartReader.Part: CustomStringConvertible, CustomReflectable {
    /// For example `part with 2 fields`. The fields are omitted, because they may contain secrets, such as file names.
    public var description: String { "part with \(headers.count) fields" }

    /// A mirror with the description only, so that dumps do not show field values either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
