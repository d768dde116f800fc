import Synchronization

/// The body of a request or a response: an asynchronous sequence of chunks.
public final class HTTPBody: Sendable {
    /// A chunk.
    public typealias ByteChunk = ArraySlice<UInt8>

    /// The number of bytes of a body.
    public enum Length: Sendable, Equatable {
        /// Not known before the end.
        case unknown
        /// Known in advance.
        case known(Int64)
    }

    /// The number of times that the body can be iterated.
    public let iterationBehavior: IterationBehavior
    /// The number of bytes.
    public let length: Length

    private let makeIterator: @Sendable () -> Iterator
    private let isIterated = Mutex(false)

    /// Makes a body of chunks.
    public init<Bytes: AsyncSequence>(
        _ sequence: Bytes, length: HTTPBody.Length, iterationBehavior: IterationBehavior
    ) where Bytes.Element == ByteChunk, Bytes: Sendable {
        makeIterator = { Iterator(sequence.makeAsyncIterator()) }
        self.length = length
        self.iterationBehavior = iterationBehavior
    }

    /// Makes a body of other sequences of bytes.
    public convenience init<Bytes: AsyncSequence>(
        _ sequence: Bytes, length: HTTPBody.Length, iterationBehavior: IterationBehavior
    ) where Bytes: Sendable, Bytes.Element: Sequence & Sendable, Bytes.Element.Element == UInt8 {
        self.init(sequence.map { ArraySlice($0) }, length: length, iterationBehavior: iterationBehavior)
    }

    /// Makes a body of the chunks of a stream.
    public convenience init(_ stream: AsyncStream<ByteChunk>, length: HTTPBody.Length) {
        self.init(stream, length: length, iterationBehavior: .single)
    }

    /// Makes a body of the chunks of a stream.
    public convenience init(_ stream: AsyncThrowingStream<ByteChunk, any Error>, length: HTTPBody.Length) {
        self.init(stream, length: length, iterationBehavior: .single)
    }

    /// Makes a body of bytes in memory.
    public convenience init(_ bytes: ByteChunk) {
        self.init(OneChunk(bytes: bytes), length: .known(Int64(bytes.count)), iterationBehavior: .multiple)
    }

    /// Makes a body of text in UTF-8.
    public convenience init(_ string: some StringProtocol & Sendable) {
        self.init(Array(string.utf8)[...])
    }
}

extension HTTPBody: AsyncSequence {
    /// A chunk.
    public typealias Element = ByteChunk

    /// Begins an iteration. If no further one is allowed, the iterator throws an error.
    public func makeAsyncIterator() -> Iterator {
        let isRefused = isIterated.withLock { isIterated in
            defer { isIterated = true }
            return isIterated && iterationBehavior == .single
        }
        return isRefused ? Iterator(throwing: SecondIteration()) : makeIterator()
    }

    /// Reads the chunks.
    public struct Iterator: AsyncIteratorProtocol {
        private let produceNext: () async throws -> ByteChunk?

        init<Base: AsyncIteratorProtocol>(_ base: Base) where Base.Element == ByteChunk {
            var base = base
            produceNext = { try await base.next() }
        }

        init(throwing error: any Error) {
            produceNext = { throw error }
        }

        /// Returns the next chunk; nil at the end.
        public mutating func next() async throws -> ByteChunk? { try await produceNext() }
    }

    private struct SecondIteration: Error {}

    private struct TooManyBytes: Error {}

    fileprivate func collect(upTo limit: Int) async throws -> ByteChunk {
        var bytes = ByteChunk()
        for try await chunk in self {
            guard chunk.count <= limit - bytes.count else { throw TooManyBytes() }
            bytes += chunk
        }
        return bytes
    }
}

extension [UInt8] {
    /// Reads the whole body.
    public init(collecting body: HTTPBody, upTo maxBytes: Int) async throws {
        self = try await Array(body.collect(upTo: maxBytes))
    }
}

extension String {
    /// Reads the whole body as text in UTF-8.
    public init(collecting body: HTTPBody, upTo maxBytes: Int) async throws {
        self = String(decoding: try await body.collect(upTo: maxBytes), as: UTF8.self)
    }
}

/// A sequence of one chunk, or of none if that is empty.
private struct OneChunk: AsyncSequence, Sendable {
    let bytes: ArraySlice<UInt8>

    func makeAsyncIterator() -> Iterator { Iterator(left: bytes.isEmpty ? nil : bytes) }

    struct Iterator: AsyncIteratorProtocol {
        var left: ArraySlice<UInt8>?

        mutating func next() async -> ArraySlice<UInt8>? {
            defer { left = nil }
            return left
        }
    }
}
