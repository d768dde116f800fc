public import Foundation
import SockeyeCore
public import SockeyeEngine

extension IncomingResponse.Body {
    /// Writes the whole content to a Foundation stream, on threads that may block. The counterpart of AFNetworking's
    /// `outputStream`.
    ///
    /// If the stream is not open, it is opened first and closed at the end. Content is read from the connection only as
    /// fast as the stream accepts it.
    ///
    /// - Parameter stream: The stream. Other code must not use it until this method ends. After a cancellation, other
    ///   code must never use it again.
    /// - Returns: The number of bytes written.
    /// - Throws: ``/Sockeye/SockeyeError/Code-swift.struct/sinkFailed`` if the stream cannot be opened or accepts no
    ///   more bytes; also the errors of ``/Sockeye/IncomingResponse/Body/write(to:)`` for sinks. If the task is
    ///   cancelled while the stream blocks, this method throws ``/Sockeye/SockeyeError/Code-swift.struct/cancelled`` at
    ///   once, although the blocked write continues to use the stream on its thread.
    @discardableResult
    public func write(to stream: sending OutputStream) async throws(SockeyeError) -> Int {
        let sink = OutputStreamSink(stream)
        // Opens the stream even if the body is empty, so that a stream to a file creates or empties the file.
        do {
            try await sink.open()
        } catch {
            throw refused(by: error)
        }
        return try await write(to: sink)
    }

    /// Writes the whole content to the descriptor of a file handle, at its current position. See
    /// ``/Sockeye/IncomingResponse/Body/write(toDescriptor:)``.
    ///
    /// - Returns: The number of bytes written.
    @discardableResult
    public func write(to handle: Foundation.FileHandle) async throws(SockeyeError) -> Int {
        try await write(toDescriptor: handle.fileDescriptor)
    }
}

/// A sink that writes to a Foundation stream.
private struct OutputStreamSink: IncomingResponse.Body.Sink {
    private let stream: BlockingStream<OutputStream>

    init(_ stream: sending OutputStream) { self.stream = BlockingStream(stream) }

    func open() async throws {
        try await stream.run { stream throws(FoundationStreamError) in
            guard stream.streamStatus != .error else {
                throw FoundationStreamError(of: stream, "the stream cannot be opened")
            }
        }
    }

    func write(_ bytes: Bytes) async throws {
        try await stream.run { stream throws(FoundationStreamError) in
            var start = 0
            while start < bytes.count {
                let rest = bytes.slice(start..<bytes.count)
                let count = unsafe rest.withUnsafeBytes { buffer in
                    unsafe stream.write(
                        buffer.baseAddress!.assumingMemoryBound(to: UInt8.self), maxLength: buffer.count)
                }
                guard count > 0 else { throw FoundationStreamError(of: stream, "the stream accepts no more bytes") }
                start += min(count, rest.count)
            }
        }
    }
}
