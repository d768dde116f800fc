public import Foundation
import SockeyeCore
public import SockeyeEngine

extension OutgoingRequest.Body {
    /// The content of a Foundation stream, read while it is sent. The counterpart of AFNetworking's `HTTPBodyStream`.
    ///
    /// A stream that is not open yet is opened before the first read, and closed after the last copy of the body was
    /// released. A stream that is already open is not closed. The stream is read on threads that may block, in pieces
    /// of up to 64 KiB, only as fast as the connection accepts them.
    ///
    /// The stream can be read once: if a redirect, a challenge or a failure requires that the request is sent again,
    /// the caller gets that response or error instead. A second request with the same body fails with
    /// ``/Sockeye/SockeyeError/Code-swift.struct/bodyConsumed`` before anything is sent. For a request that can be
    /// repeated, use ``inputStream(length:makingEach:)``.
    ///
    /// - Parameters:
    ///   - stream: The stream, which only the body may use from now on.
    ///   - length: The number of bytes, sent as Content-Length. If the stream has fewer or more bytes, the request
    ///     fails with ``/Sockeye/SockeyeError/Code-swift.struct/bodyLengthMismatch``. Nil, the default, sends the body
    ///     chunked.
    public static func inputStream(_ stream: sending InputStream, length: Int? = nil) -> OutgoingRequest.Body {
        .stream(InputStreamChunks(OnceStream(stream)), length: length)
    }

    /// The content of a Foundation stream that a closure makes for each attempt, so that the request can be repeated.
    /// The counterpart of AFNetworking's `needNewBodyStream`.
    ///
    /// - Parameters:
    ///   - length: The number of bytes, as for ``inputStream(_:length:)``.
    ///   - make: Makes a stream. Called each time before the content is sent. An error that it throws aborts the
    ///     request with ``/Sockeye/SockeyeError/Code-swift.struct/bodyFailed``.
    public static func inputStream(
        length: Int? = nil, makingEach make: @escaping @Sendable () throws -> sending InputStream
    ) -> OutgoingRequest.Body {
        .stream(length: length) { InputStreamChunks(OnceStream(try make())) }
    }
}

extension HTTPClient.Content {
    /// The content of a Foundation stream, which can be sent once. See ``OutgoingRequest/Body/inputStream(_:length:)``.
    ///
    /// ```swift
    /// try await client.put(url, .inputStream(stream, length: count))
    /// ```
    ///
    /// - Parameters:
    ///   - stream: The stream, which only the body may use from now on.
    ///   - length: The number of bytes, which is enforced. Nil, the default, sends the body chunked.
    ///   - contentType: The value of Content-Type. Nil, the default, omits the field.
    public static func inputStream(
        _ stream: sending InputStream, length: Int? = nil, contentType: String? = nil
    ) -> Self {
        .body(.inputStream(stream, length: length), contentType: contentType)
    }

    /// The content of a Foundation stream that a closure makes for each attempt. See
    /// ``OutgoingRequest/Body/inputStream(length:makingEach:)``.
    ///
    /// - Parameters:
    ///   - length: The number of bytes, which is enforced. Nil, the default, sends the body chunked.
    ///   - contentType: The value of Content-Type. Nil, the default, omits the field.
    ///   - make: Makes a stream that is positioned at the start of the content.
    public static func inputStream(
        length: Int? = nil, contentType: String? = nil,
        makingEach make: @escaping @Sendable () throws -> sending InputStream
    ) -> Self {
        .body(.inputStream(length: length, makingEach: make), contentType: contentType)
    }
}

extension MultipartForm {
    /// Adds the content of a Foundation stream, which can be sent once. The counterpart of AFNetworking's
    /// `appendPartWithInputStream:name:fileName:length:mimeType:`.
    ///
    /// For a stream that a closure makes for each attempt, add an
    /// ``OutgoingRequest/Body/inputStream(length:makingEach:)`` with `part(_:_:filename:contentType:headers:)`.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - stream: The stream, which only the form may use from now on.
    ///   - length: The number of bytes. Nil sends the whole form chunked.
    ///   - filename: The file name, which makes the part a file.
    ///   - contentType: The media type of the content. If nil, the extension of `filename` determines the type; without
    ///     a file name, the part has no Content-Type.
    public mutating func inputStream(
        _ name: String, _ stream: sending InputStream, length: Int? = nil, filename: String? = nil,
        contentType: String? = nil
    ) {
        part(name, .inputStream(stream, length: length), filename: filename, contentType: contentType)
    }
}

/// A stream that can be read once, by one reader.
private final class OnceStream: Sendable {
    private let stream: BlockingStream<InputStream>

    init(_ stream: sending InputStream) { self.stream = BlockingStream(stream) }

    func next() async throws -> Bytes? {
        let piece = try await stream.run { stream throws(FoundationStreamError) in
            let block = ByteStorage.allocate(capacity: 64 << 10)
            let room = unsafe block.mutableBytes
            let count = unsafe stream.read(
                room.baseAddress!.assumingMemoryBound(to: UInt8.self), maxLength: room.count)
            guard count >= 0 else { throw FoundationStreamError(of: stream, "the stream cannot be read") }
            // Checked, because a custom subclass of InputStream may return a wrong count.
            guard count <= room.count else {
                throw FoundationStreamError(description: "the stream reported more bytes than its buffer holds")
            }
            return Bytes(storage: block, offset: 0, count: count)
        }
        return piece.isEmpty ? nil : piece
    }
}

/// The bytes of a stream as an asynchronous sequence.
private struct InputStreamChunks: AsyncSequence, Sendable {
    private let stream: OnceStream

    init(_ stream: OnceStream) { self.stream = stream }

    func makeAsyncIterator() -> Iterator { Iterator(stream: stream) }

    struct Iterator: AsyncIteratorProtocol {
        let stream: OnceStream

        mutating func next() async throws -> Bytes? { try await stream.next() }
    }
}
