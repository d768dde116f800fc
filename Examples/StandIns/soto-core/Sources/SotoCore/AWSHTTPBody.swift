public import NIOCore

/// Content: a buffer, or an asynchronous sequence of buffers.
public struct AWSHTTPBody: Sendable {
    private enum Storage {
        case byteBuffer(ByteBuffer)
        case asyncSequence(sequence: AnyAsyncSequence<ByteBuffer>, length: Int?)
    }

    private let storage: Storage

    /// Makes an empty body.
    public init() { storage = .byteBuffer(ByteBuffer()) }

    /// Makes a body of one buffer.
    public init(buffer: ByteBuffer) { storage = .byteBuffer(buffer) }

    /// Makes a body that is read as it is used.
    public init<BufferSequence: AsyncSequence & Sendable>(
        asyncSequence: BufferSequence, length: Int?
    ) where BufferSequence.Element == ByteBuffer {
        storage = .asyncSequence(sequence: AnyAsyncSequence(asyncSequence), length: length)
    }

    /// Reads the whole body.
    public func collect(upTo length: Int) async throws -> ByteBuffer {
        switch storage {
        case .byteBuffer(let buffer): buffer
        case .asyncSequence(let sequence, _): try await sequence.collect(upTo: length)
        }
    }

    /// The number of bytes, if it is known.
    public var length: Int? {
        switch storage {
        case .byteBuffer(let buffer): buffer.readableBytes
        case .asyncSequence(_, let length): length
        }
    }

    /// True if the body is read as it is used.
    public var isStreaming: Bool {
        if case .asyncSequence = storage { true } else { false }
    }
}

extension AWSHTTPBody: AsyncSequence {
    /// A buffer.
    public typealias Element = ByteBuffer

    /// Begins an iteration.
    public func makeAsyncIterator() -> AnyAsyncSequence<ByteBuffer>.AsyncIterator {
        switch storage {
        case .byteBuffer(let buffer):
            let once = AsyncStream { continuation in
                continuation.yield(buffer)
                continuation.finish()
            }
            return AnyAsyncSequence(once).makeAsyncIterator()
        case .asyncSequence(let sequence, _):
            return sequence.makeAsyncIterator()
        }
    }
}

/// An asynchronous sequence of any type.
public struct AnyAsyncSequence<Element>: Sendable, AsyncSequence {
    private let makeNext: @Sendable () -> () async throws -> Element?

    /// Hides the type of a sequence.
    public init<Base: AsyncSequence & Sendable>(_ base: Base) where Base.Element == Element {
        makeNext = {
            var iterator = base.makeAsyncIterator()
            return { try await iterator.next() }
        }
    }

    /// Begins an iteration.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(nextElement: makeNext()) }

    /// Reads the elements.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let nextElement: () async throws -> Element?

        /// Returns the next element; nil at the end.
        public mutating func next() async throws -> Element? { try await nextElement() }
    }
}
