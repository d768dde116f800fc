import SockeyeCore
public import SockeyeEngine
import SockeyeNet

extension OutgoingRequest.Body {
    /// Writes the content without trailers to a file instead of sending it. The counterpart of AFNetworking's
    /// `requestWithMultipartFormRequest:writingStreamContentsToFile:completionHandler:`.
    ///
    /// ```swift
    /// let count = try await form.body().write(toFile: path)
    /// try await client.post(url, .file(path, contentType: form.contentType))
    /// ```
    ///
    /// The content is written to a hidden file `.sockeye-….partial` in the same folder, which must exist. When the
    /// hidden file is complete and synchronized to the disk (`fsync`), it is renamed to `path` and replaces an existing
    /// file. The mode of the new file is 0666 minus the umask, not that of the replaced file. After an error, a
    /// cancellation or a crash the existing file is unchanged. A symbolic link is replaced, not followed. Only a
    /// process that crashes or is killed leaves the hidden file behind. Writing happens on threads of the library.
    ///
    /// - Returns: The number of bytes.
    /// - Throws: ``SockeyeError/Code-swift.struct/bodyFailed`` if the content cannot be read or the file cannot be
    ///   written. If the file cannot be written, the ``SockeyeError/underlying`` error is a ``FileError``.
    ///   ``SockeyeError/Code-swift.struct/bodyLengthMismatch`` if the content's length differs from the declared one.
    ///   ``SockeyeError/Code-swift.struct/bodyConsumed`` if content that can be read only once was read before, or is
    ///   about to be sent by a request. ``SockeyeError/Code-swift.struct/cancelled`` if the task is cancelled.
    @discardableResult
    public func write(toFile path: String) async throws(SockeyeError) -> Int {
        try oneShotClaim?.claim()
        do throws(SockeyeError) {
            return try await writeClaimed(toFile: path)
        } catch {
            oneShotClaim?.release()
            throw error
        }
    }

    private func writeClaimed(toFile path: String) async throws(SockeyeError) -> Int {
        let sink = try await FileSink(target: path)
        do throws(SockeyeError) {
            try await fill(sink)
            return try await sink.finish()
        } catch {
            await sink.remove()
            throw error
        }
    }

    private func fill(_ sink: FileSink) async throws(SockeyeError) {
        do {
            try await produceExactly(into: sink, as: "the body")
            // Many async sequences end without an error when their task is cancelled. The content is then incomplete.
            try Task.checkCancellation()
        } catch {
            throw .producerFailed("the content of the body could not be read", error, phase: .send)
        }
    }
}

extension SockeyeError {
    /// Converts the error of a body producer.
    static func producerFailed(_ message: String, _ error: any Error, phase: Phase) -> SockeyeError {
        if let error = error as? SockeyeError { return error }
        var fields = Fields(
            error is CancellationError ? .cancelled : .bodyFailed, phase: phase, blame: .caller, message: message)
        fields.underlying = error
        return SockeyeError(fields)
    }
}

/// A body sink that writes to a file. Disk threads perform the writes, because a slow disk may block a thread for
/// seconds, and threads of Swift's concurrency pool must not be blocked.
actor FileSink: BodySink {
    /// The number of bytes that are gathered into one write to the file.
    private static let gatherSize = 256 << 10

    private let target: String
    private let file: TemporaryFile
    private var gathered = BytesAccumulator(expected: gatherSize)
    private var written = 0
    /// The error of a failed write. All later writes throw it again, so that a producer that ignores the error cannot
    /// leave a hole in the file.
    private var failure: SockeyeError?

    init(target: String) async throws(SockeyeError) {
        self.target = target
        file = try await Self.translating { () async throws(FileFailure) in
            try await DiskThreadPool.opening.run { () throws(FileError) in
                try TemporaryFile.create(for: target, mode: 0o666)
            }
        }
    }

    func write<Chunk: Collection<UInt8> & Sendable>(_ chunk: Chunk) async throws(SockeyeError) {
        if let failure { throw failure }
        gathered.append((chunk as? Bytes) ?? Bytes(chunk))
        if gathered.count >= Self.gatherSize { try await flush() }
    }

    private func flush() async throws(SockeyeError) {
        if let failure { throw failure }
        let (bytes, file, start) = (gathered.finish(), file, written)
        written += bytes.count
        do throws(SockeyeError) {
            try await Self.translating { () async throws(FileFailure) in
                try await file.disk.run { () throws(FileError) in
                    var position = start
                    try file.write(bytes, at: &position)
                }
            }
        } catch {
            failure = error
            throw error
        }
    }

    /// Completes the file after the producer has returned. Called once. Returns the number of bytes.
    func finish() async throws(SockeyeError) -> Int {
        try await flush()
        let (file, target) = (file, target)
        _ = try await Self.translating { () async throws(FileFailure) in try await file.finish(at: target) }
        return written
    }

    /// Removes the unfinished file.
    nonisolated func remove() async {
        await file.remove()
    }

    private static func translating<Value: Sendable>(
        _ work: () async throws(FileFailure) -> Value
    ) async throws(SockeyeError) -> Value {
        do throws(FileFailure) {
            return try await work()
        } catch {
            throw Self.error(error)
        }
    }

    private static func error(_ failure: FileFailure) -> SockeyeError {
        switch failure {
        case .cancelled: return SockeyeError(TransportError.cancelled, phase: .send)
        case .system(let error):
            var fields = SockeyeError.Fields(.bodyFailed, phase: .send, blame: .caller, message: error.description)
            fields.underlying = error
            return SockeyeError(fields)
        }
    }
}
