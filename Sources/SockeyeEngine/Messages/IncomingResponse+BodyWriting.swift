public import SockeyeCore

extension IncomingResponse.Body {
    /// A receiver of response content, piece by piece; see ``IncomingResponse/Body/write(to:)``.
    ///
    /// `write` is not mutating, so a sink with state is an actor, a class, or a value that holds one of these. `write`
    /// is called for one piece at a time.
    ///
    /// A minor version may add requirements, with default implementations that do nothing; see <doc:Stability>.
    public protocol Sink {
        /// Takes a piece, which is not empty. No more is read from the connection before `write` returns, so that a
        /// slow sink slows the peer down.
        ///
        /// An error that `write` throws ends the response; see ``IncomingResponse/Body/write(to:)``.
        func write(_ bytes: Bytes) async throws
    }

    /// Writes the whole content into a sink. The counterpart of `outputStream` of AFNetworking 2.
    ///
    /// ```swift
    /// let response = try await client.get("https://example.com/log")
    /// let count = try await response.body.write(to: archive)
    /// ```
    ///
    /// The content is written regardless of the status of the response; check the status first. The content is not kept
    /// in memory, and the client's limits apply (``ResponseLimits/bodyBytes``).
    ///
    /// - Returns: The number of bytes.
    /// - Throws: ``SockeyeError/Code-swift.struct/sinkFailed`` with the error of the sink as
    ///   ``SockeyeError/underlying``. A ``SockeyeError`` of the sink is thrown itself, and a `CancellationError`
    ///   becomes ``SockeyeError/Code-swift.struct/cancelled``. After an error of the sink the rest of the content is
    ///   discarded. Also throws any error of reading; the content received before such an error has been written.
    @discardableResult
    public func write(to sink: some Sink) async throws(SockeyeError) -> Int {
        try await write { try await sink.write($0) }
    }

    /// Passes the whole content to a closure, piece by piece. See ``write(to:)``.
    ///
    /// - Parameter take: Takes a piece, which is not empty.
    @discardableResult
    public func write(_ take: (Bytes) async throws -> Void) async throws(SockeyeError) -> Int {
        var count = 0
        var pieces = makeAsyncIterator()
        while let piece = try await pieces.next() {
            do {
                try await take(piece)
            } catch {
                throw refused(by: error)
            }
            count += piece.count
        }
        return count
    }

    /// Writes the whole content to the open descriptor of a file, pipe, socket or terminal. A file is written from the
    /// descriptor's current position on.
    ///
    /// ```swift
    /// // the standard output
    /// try await response.body.write(toDescriptor: 1)
    /// ```
    ///
    /// Blocks no thread of Swift's concurrency pool: other threads write to files, and for a pipe, socket or terminal
    /// the task suspends until the reader at the other end makes room. That wait has no deadline; you can end it by
    /// cancelling the task. If the reader has closed its end, the write fails with an error, never with a signal
    /// (SIGPIPE). This method neither closes the descriptor nor changes its flags. The write uses another descriptor of
    /// the same file, so you may close yours meanwhile.
    ///
    /// - Returns: The number of bytes.
    /// - Throws: ``SockeyeError/Code-swift.struct/fileFailed``, ``SockeyeError/Code-swift.struct/diskFull`` or
    ///   ``SockeyeError/Code-swift.struct/outOfResources``, with a ``FileError`` as ``SockeyeError/underlying``, for an
    ///   error of the system (`EBADF`, `EPIPE`, `ENOSPC`). The bytes written until then stay. For all other errors, see
    ///   ``write(to:)``.
    @discardableResult
    public func write(toDescriptor descriptor: Int32) async throws(SockeyeError) -> Int {
        let writer: DescriptorWriter
        do throws(FileFailure) {
            writer = try DescriptorWriter(descriptor)
        } catch {
            throw refused(by: SockeyeError(error))
        }
        return try await write { try await writer.write($0) }
    }

    /// The error of a sink that failed before the end of the content. Discards the rest of the content.
    package func refused(by error: any Error) -> SockeyeError {
        storage.reader.discard()
        if let error = error as? SockeyeError { return error.about(storage.request) }
        let isCancellation = error is CancellationError
        var fields = SockeyeError.Fields(
            isCancellation ? .cancelled : .sinkFailed, phase: .body, blame: .caller,
            message: isCancellation ? "the task was cancelled" : "the sink of the content threw an error")
        fields.underlying = error
        return SockeyeError(fields).about(storage.request)
    }
}
