public import SockeyeCore
public import SockeyeEngine
public import SockeyeHTTP

extension MultipartReader {
    /// A part of a multipart body: its fields now, its content when you read it.
    public struct Part: Sendable {
        /// The fields of the part, in order.
        public let headers: Headers
        /// The content, single-pass, as long as no later part was asked for.
        public let body: Body
        private let disposition: FormDisposition?

        init(source: MultipartSource, number: Int, headers: Headers) {
            self.headers = headers
            body = Body(source: source, number: number)
            disposition = headers[.contentDisposition].flatMap { FormDisposition(parsing: $0) }
        }

        /// The name of the field of a form (RFC 7578 4.2); nil outside of forms.
        public var name: String? { disposition?.name }

        /// The file name of a part of a form, as the sender wrote it: it may hold a path, and is nothing to open a file by.
        public var filename: String? { disposition?.filename }

        /// The media type of the content; nil where the part does not tell, which means text in forms.
        public var contentType: InternetMediaType? { headers[.contentType].flatMap { InternetMediaType($0) } }

        /// Reads the whole content into memory.
        ///
        /// - Parameter limit: The most bytes to accept. Default 16 MiB.
        /// - Throws: ``SockeyeError/Code-swift.struct/limitExceeded`` past the limit, and whatever reading throws.
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

        /// The parts of a part that is multipart itself. See ``IncomingResponse/parts(limits:)``.
        public func parts(limits: MultipartLimits = MultipartLimits()) throws(SockeyeError) -> MultipartReader {
            try MultipartReader(body, type: contentType, limits: limits, request: nil)
        }

        /// The content of a part, read from the socket as you iterate.
        public struct Body: AsyncSequence, MultipartByteSource {
            /// A non-empty chunk.
            public typealias Element = Bytes
            /// Iterating throws the library's error only.
            public typealias Failure = SockeyeError

            fileprivate let source: MultipartSource
            fileprivate let number: Int

            /// Goes on reading where the last iterator stopped.
            public func makeAsyncIterator() -> Iterator {
                Iterator(body: self)
            }

            func next() async throws(SockeyeError) -> Bytes? {
                try await source.nextPiece(of: number)
            }

            /// Reads the content chunk by chunk.
            public struct Iterator: AsyncIteratorProtocol {
                fileprivate let body: Body

                /// The next chunk, or nil at the end of the part.
                ///
                /// - Throws: ``SockeyeError/Code-swift.struct/bodyConsumed`` after the next part was asked for.
                public mutating func next(
                    isolation actor: isolated (any Actor)? = #isolation
                ) async throws(SockeyeError) -> Bytes? {
                    try await body.next()
                }

                /// The next chunk, or nil at the end of the part. See ``next(isolation:)``.
                public mutating func next() async throws(SockeyeError) -> Bytes? {
                    try await next(isolation: #isolation)
                }
            }
        }
    }
}

extension MultipartReader.Part: CustomStringConvertible, CustomReflectable {
    /// For example `part with 2 fields`. Not which, since they may hold secrets, as names of files do.
    public var description: String { "part with \(headers.count) fields" }

    /// The description alone, so that dumps show no values of fields either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
