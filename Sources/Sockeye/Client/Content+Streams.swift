import SockeyeCore
public import SockeyeEngine

extension HTTPClient.Content {
    /// An asynchronous sequence of byte collections (`[UInt8]`, `Data`, ``Bytes`` and so on), read while it is sent.
    ///
    /// - Parameters:
    ///   - chunks: The content. Empty elements are skipped. An error that the sequence throws ends the call with
    ///     ``SockeyeError/Code-swift.struct/bodyFailed``.
    ///   - length: The number of bytes, sent as Content-Length. The call fails if the sequence yields fewer or more.
    ///     Default: nil, unknown length; the content is sent chunked.
    ///   - contentType: The Content-Type. Default: nil, to send none.
    ///   - isReplayable: True if the sequence can be iterated again from the start. Default: false.
    public static func stream<Chunks: AsyncSequence & Sendable>(
        _ chunks: Chunks, length: Int? = nil, contentType: String? = nil, isReplayable: Bool = false
    ) -> Self where Chunks.Element: Collection<UInt8> & Sendable {
        Self(.body(.stream(chunks, length: length, isReplayable: isReplayable)), contentType: contentType)
    }

    /// A sequence that `make` creates for each attempt, so that the content is replayable. The counterpart of
    /// `needNewBodyStream` of URLSession.
    ///
    /// See ``stream(_:length:contentType:isReplayable:)-(Chunks,_,_,_)``.
    public static func stream<Chunks: AsyncSequence & Sendable>(
        length: Int? = nil, contentType: String? = nil,
        makingEach make: @escaping @Sendable () async throws -> Chunks
    ) -> Self where Chunks.Element: Collection<UInt8> & Sendable {
        Self(.body(.stream(length: length, makingEach: make)), contentType: contentType)
    }

    /// Content that a closure writes while the request is sent. See
    /// ``OutgoingRequest/Body/writer(length:isReplayable:_:)``.
    ///
    /// ```swift
    /// try await api.post("report", .writer(contentType: "text/csv") { body in
    ///     for try await row in rows { try await body.write(row.line) }
    /// })
    /// ```
    ///
    /// - Parameters:
    ///   - length: The number of bytes. Default: nil, unknown.
    ///   - contentType: The Content-Type. Default: nil, to send none.
    ///   - isReplayable: True if the closure may be called again. Default: false.
    ///   - write: Writes the content.
    public static func writer(
        length: Int? = nil, contentType: String? = nil, isReplayable: Bool = false,
        _ write: @escaping @Sendable (inout OutgoingRequest.Body.Writer) async throws -> Void
    ) -> Self {
        Self(.body(.writer(length: length, isReplayable: isReplayable, write)), contentType: contentType)
    }

    /// An asynchronous sequence of text, sent in UTF-8 as it arrives.
    /// See ``stream(_:length:contentType:isReplayable:)-(Chunks,_,_,_)``.
    public static func stream<Texts: AsyncSequence & Sendable>(
        _ texts: Texts, length: Int? = nil, contentType: String? = nil, isReplayable: Bool = false
    ) -> Self where Texts.Element: StringProtocol {
        .stream(
            UTF8Chunks(base: texts), length: length, contentType: contentType, isReplayable: isReplayable)
    }

    /// An asynchronous sequence of single bytes, sent in pieces of 16 KiB.
    /// See ``stream(_:length:contentType:isReplayable:)-(Chunks,_,_,_)``.
    public static func stream<Octets: AsyncSequence & Sendable>(
        _ bytes: Octets, length: Int? = nil, contentType: String? = nil, isReplayable: Bool = false
    ) -> Self where Octets.Element == UInt8 {
        .stream(
            GatheredBytes(base: bytes), length: length, contentType: contentType, isReplayable: isReplayable)
    }
}

/// The texts of a sequence, encoded in UTF-8.
private struct UTF8Chunks<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Base.Element: StringProtocol {
    let base: Base

    func makeAsyncIterator() -> Iterator {
        Iterator(base: base.makeAsyncIterator())
    }

    struct Iterator: AsyncIteratorProtocol {
        var base: Base.AsyncIterator

        mutating func next(isolation actor: isolated (any Actor)?) async throws -> Bytes? {
            try await base.next(isolation: actor).map { Bytes($0) }
        }

        mutating func next() async throws -> Bytes? { try await next(isolation: #isolation) }
    }
}

/// Gathers single bytes into pieces, because each piece costs a write.
private struct GatheredBytes<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable where Base.Element == UInt8 {
    private static var pieceSize: Int { 16 << 10 }

    let base: Base

    func makeAsyncIterator() -> Iterator {
        Iterator(base: base.makeAsyncIterator())
    }

    struct Iterator: AsyncIteratorProtocol {
        var base: Base.AsyncIterator
        private var isAtEnd = false

        init(base: Base.AsyncIterator) { self.base = base }

        mutating func next() async throws -> [UInt8]? { try await next(isolation: #isolation) }

        mutating func next(isolation actor: isolated (any Actor)?) async throws -> [UInt8]? {
            guard !isAtEnd else { return nil }
            var piece: [UInt8] = []
            piece.reserveCapacity(pieceSize)
            while piece.count < pieceSize {
                guard let byte = try await base.next(isolation: actor) else {
                    isAtEnd = true
                    return piece.isEmpty ? nil : piece
                }
                piece.append(byte)
            }
            return piece
        }
    }
}
