public import Foundation
import SockeyeCore
public import SockeyeEngine

extension IncomingResponse.Body {
    /// Writes the whole content into a stream of Foundation's, on threads where it may block. AFNetworking's `outputStream`.
    ///
    /// The stream is opened if it is not, and then closed in the end. No more is read from the connection than the stream
    /// takes.
    ///
    /// - Parameter stream: Must not be used by anybody else until this returns.
    /// - Returns: The number of bytes.
    /// - Throws: ``/Sockeye/SockeyeError/Code-swift.struct/sinkFailed`` when the stream takes no more, and else as ``write(to:)``. A
    ///   stream that hangs is left to itself when the task is cancelled.
    @discardableResult
    public func write(to stream: sending OutputStream) async throws(SockeyeError) -> Int {
        try await write(to: OutputStreamSink(stream))
    }

    /// Writes the whole content to what a handle is open on, where that stands. See ``/Sockeye/IncomingResponse/Body/write(toDescriptor:)``.
    ///
    /// - Returns: The number of bytes.
    @discardableResult
    public func write(to handle: Foundation.FileHandle) async throws(SockeyeError) -> Int {
        try await write(toDescriptor: handle.fileDescriptor)
    }
}

/// A stream of Foundation's as a sink.
private struct OutputStreamSink: IncomingResponse.Body.Sink {
    private let stream: BlockingStream<OutputStream>

    init(_ stream: sending OutputStream) { self.stream = BlockingStream(stream) }

    func write(_ bytes: Bytes) async throws {
        try await stream.run { stream throws(StreamFault) in
            var start = 0
            while start < bytes.count {
                let rest = bytes.slice(start..<bytes.count)
                let count = unsafe rest.withUnsafeBytes { buffer in
                    unsafe stream.write(
                        buffer.baseAddress!.assumingMemoryBound(to: UInt8.self), maxLength: buffer.count)
                }
                guard count > 0 else { throw StreamFault(of: stream, "the stream takes no more") }
                start += min(count, rest.count)
            }
        }
    }
}
