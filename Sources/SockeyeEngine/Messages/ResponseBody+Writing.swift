public import SockeyeCore

extension IncomingResponse.Body {
    /// Takes the content of a response, piece by piece; see ``IncomingResponse/Body/write(to:)``.
    ///
    /// An actor or a class, or a value that holds one: it is asked for one piece at a time.
    ///
    /// A minor version may add requirements, whose default implementations do nothing; see <doc:Stability>.
    public protocol Sink {
        /// Takes a piece, which is not empty. No more is read from the connection before this returns, so that a slow sink
        /// slows the peer down.
        ///
        /// What it throws ends the response; see ``IncomingResponse/Body/write(to:)``.
        func write(_ bytes: Bytes) async throws
    }

    /// Writes the whole content into a sink. The counterpart of `outputStream` of AFNetworking 2.
    ///
    /// ```swift
    /// let response = try await client.get("https://example.com/log")
    /// let count = try await response.body.write(to: archive)
    /// ```
    ///
    /// Whatever the status of the response is: look at that first. Nothing of the content is kept in memory, and the client's
    /// limits hold (``ResponseLimits/bodyBytes``).
    ///
    /// - Returns: The number of bytes.
    /// - Throws: ``SockeyeError/Code-swift.struct/sinkFailed`` with what the sink threw as ``SockeyeError/underlying``, or that
    ///   itself where it is a ``SockeyeError``, or ``SockeyeError/Code-swift.struct/cancelled`` for a `CancellationError`. The
    ///   rest of the content is not read then, and its connection closed, if there is a rest. And whatever reading throws;
    ///   what came before that has been written.
    @discardableResult
    public func write(to sink: some Sink) async throws(SockeyeError) -> Int {
        try await write { try await sink.write($0) }
    }

    /// Hands the whole content to a closure, piece by piece. See ``write(to:)``.
    ///
    /// - Parameter take: Takes a piece, which is not empty; called for one at a time, by this task.
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

    /// Writes the whole content to an open descriptor, where that stands: a file, a pipe, a socket, a terminal.
    ///
    /// ```swift
    /// try await response.body.write(toDescriptor: 1)         // the standard output
    /// ```
    ///
    /// Waits without blocking a thread of Swift's concurrency pool: for files on threads for the disk, else until the reader at
    /// the other end makes room. That wait has no deadline, and ends when the task is cancelled. A reader that is gone is an
    /// error, never a signal (SIGPIPE). The descriptor is neither closed nor changed, and stays usable when the caller closes
    /// his in the middle.
    ///
    /// - Returns: The number of bytes.
    /// - Throws: ``SockeyeError/Code-swift.struct/fileFailed`` or ``SockeyeError/Code-swift.struct/diskFull``, with a
    ///   ``FileError`` as ``SockeyeError/underlying``, for what the system refuses (`EBADF`, `EPIPE`, `ENOSPC`); what was
    ///   written until then stays. Else as ``write(to:)``.
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

    /// The error of content that its taker did not want to the end, of which no more is read.
    private func refused(by error: any Error) -> SockeyeError {
        storage.reader.discard()
        if let error = error as? SockeyeError { return error.about(storage.request) }
        let isCancellation = error is CancellationError
        var fields = SockeyeError.Fields(
            isCancellation ? .cancelled : .sinkFailed, phase: .body, blame: .caller,
            message: isCancellation ? "the task was cancelled" : "whoever was to take the content failed")
        fields.underlying = error
        return SockeyeError(fields).about(storage.request)
    }
}
