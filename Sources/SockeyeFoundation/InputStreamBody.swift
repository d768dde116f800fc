public import Foundation
import SockeyeCore
public import SockeyeEngine

extension OutgoingRequest.Body {
    /// The content of a stream of Foundation's, read while it is sent, on threads where it may block. AFNetworking's
    /// `HTTPBodyStream`.
    ///
    /// The stream is opened if it is not, and then closed when the request is over. No more is read than the connection takes,
    /// in pieces of 64 KiB. It can be read once: a request that has to be sent again, after a redirect, a challenge or a
    /// failure, ends with what it has, and a second request with the same body fails with
    /// ``/Sockeye/SockeyeError/Code-swift.struct/bodyConsumed`` before anything is sent. ``inputStream(length:makingEach:)`` is for those.
    ///
    /// - Parameters:
    ///   - stream: Belongs to the body from now on.
    ///   - length: The number of bytes, sent as Content-Length; a stream that has less or more fails the request with
    ///     ``/Sockeye/SockeyeError/Code-swift.struct/bodyLengthMismatch``. Nil, the default: unknown, and sent chunked.
    public static func inputStream(_ stream: sending InputStream, length: Int? = nil) -> OutgoingRequest.Body {
        .stream(InputStreamChunks(OnceStream(stream)), length: length)
    }

    /// A stream of Foundation's that is made anew for each attempt; replayable. The counterpart of `needNewBodyStream`.
    ///
    /// - Parameters:
    ///   - length: As with ``inputStream(_:length:)``.
    ///   - make: Called when the content may be sent. What it throws aborts the request with
    ///     ``/Sockeye/SockeyeError/Code-swift.struct/bodyFailed``.
    public static func inputStream(
        length: Int? = nil, makingEach make: @escaping @Sendable () throws -> sending InputStream
    ) -> OutgoingRequest.Body {
        .stream(length: length) { InputStreamChunks(OnceStream(try make())) }
    }
}

extension HTTPClient.Content {
    /// The content of a stream of Foundation's, which can be sent once. See
    /// ``OutgoingRequest/Body/inputStream(_:length:)``.
    ///
    /// ```swift
    /// try await client.put(url, .inputStream(stream, length: count))
    /// ```
    ///
    /// - Parameters:
    ///   - stream: The stream, not open yet.
    ///   - length: The number of bytes, which is enforced; nil, the default, for chunked.
    ///   - contentType: What Content-Type says; nil, the default, for nothing.
    public static func inputStream(
        _ stream: sending InputStream, length: Int? = nil, contentType: String? = nil
    ) -> Self {
        .body(.inputStream(stream, length: length), contentType: contentType)
    }

    /// A stream of Foundation's that is made anew for each attempt. See
    /// ``OutgoingRequest/Body/inputStream(length:makingEach:)``.
    ///
    /// - Parameters:
    ///   - length: The number of bytes, which is enforced; nil, the default, for chunked.
    ///   - contentType: What Content-Type says; nil, the default, for nothing.
    ///   - make: Makes the stream, from its start.
    public static func inputStream(
        length: Int? = nil, contentType: String? = nil,
        makingEach make: @escaping @Sendable () throws -> sending InputStream
    ) -> Self {
        .body(.inputStream(length: length, makingEach: make), contentType: contentType)
    }
}

extension MultipartForm {
    /// Adds a stream of Foundation's, which can be sent once. The counterpart of
    /// `appendPartWithInputStream:name:fileName:length:mimeType:`.
    ///
    /// For one that is made anew each time add an ``OutgoingRequest/Body/inputStream(length:makingEach:)`` with
    /// `part(_:_:filename:contentType:headers:)`.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - stream: The stream, not open yet.
    ///   - length: The number of bytes; nil makes the whole form chunked.
    ///   - filename: Makes a file of the part.
    ///   - contentType: The type of the content. Nil: that of the extension of `filename`; none without one.
    public mutating func inputStream(
        _ name: String, _ stream: sending InputStream, length: Int? = nil, filename: String? = nil,
        contentType: String? = nil
    ) {
        part(name, .inputStream(stream, length: length), filename: filename, contentType: contentType)
    }
}

/// A stream that waits to be read, by one reader.
private final class OnceStream: Sendable {
    private let stream: BlockingStream<InputStream>

    init(_ stream: sending InputStream) { self.stream = BlockingStream(stream) }

    /// The next piece; nil at the end.
    func next() async throws -> Bytes? {
        let piece = try await stream.run { stream throws(StreamFault) in
            let block = ByteStorage.allocate(capacity: 64 << 10)
            let room = unsafe block.mutableBytes
            let count = unsafe stream.read(
                room.baseAddress!.assumingMemoryBound(to: UInt8.self), maxLength: room.count)
            guard count >= 0 else { throw StreamFault(of: stream, "the stream cannot be read") }
            // What a class of somebody else's says of memory is checked.
            guard count <= room.count else { throw StreamFault(description: "the stream has written past its buffer") }
            return Bytes(storage: block, offset: 0, count: count)
        }
        return piece.isEmpty ? nil : piece
    }
}

/// The bytes of a stream, as a sequence.
private struct InputStreamChunks: AsyncSequence, Sendable {
    private let stream: OnceStream

    init(_ stream: OnceStream) { self.stream = stream }

    func makeAsyncIterator() -> Iterator { Iterator(stream: stream) }

    struct Iterator: AsyncIteratorProtocol {
        let stream: OnceStream

        mutating func next() async throws -> Bytes? { try await stream.next() }
    }
}
