import SockeyeCore
public import SockeyeEngine
import SockeyeNet

extension OutgoingRequest.Body {
    /// Writes the content to a file instead of sending it, trailers left out: the counterpart of
    /// `requestWithMultipartFormRequest:writingStreamContentsToFile:completionHandler:`.
    ///
    /// ```swift
    /// let count = try await form.body().write(toFile: path)
    /// try await client.post(url, .file(path, contentType: form.contentType))
    /// ```
    ///
    /// The file appears under its name, or takes the place of another one, when it is complete and on the disk (`fsync`);
    /// after an error, a cancellation or a crash what was there before is as it was. A link is replaced, not followed. Until then it is a hidden file
    /// `.sockeye-….partial` in the same folder, which only a process that is killed leaves behind. It is written by threads
    /// of the library's own.
    ///
    /// - Returns: The number of bytes.
    /// - Throws: ``SockeyeError/Code-swift.struct/bodyFailed`` when the content cannot be read, or when the file cannot be
    ///   written, with a ``FileError`` as ``SockeyeError/underlying``: a full disk included, and what is no place for a file,
    ///   such as a folder or a device; ``SockeyeError/Code-swift.struct/bodyLengthMismatch`` for content that is not as long as
    ///   declared.
    @discardableResult
    public func write(toFile path: String) async throws(SockeyeError) -> Int {
        let sink = try await FileSink(target: path)
        do throws(SockeyeError) {
            try await fill(sink)
            return try await sink.finish()
        } catch {
            sink.abandon()
            throw error
        }
    }

    private func fill(_ sink: FileSink) async throws(SockeyeError) {
        do {
            try await produceExactly(into: sink, as: "the body")
            // The usual sequences end, and throw nothing, when their task is cancelled.
            try Task.checkCancellation()
        } catch {
            throw .producerFailed("the producer of the body failed", error, phase: .send)
        }
    }
}

extension SockeyeError {
    /// The error of a body whose producer threw: a ``SockeyeError`` as it is, a cancellation as that.
    static func producerFailed(_ message: String, _ error: any Error, phase: Phase) -> SockeyeError {
        if let error = error as? SockeyeError { return error }
        var fields = Fields(
            error is CancellationError ? .cancelled : .bodyFailed, phase: phase, blame: .caller, message: message)
        fields.underlying = error
        return SockeyeError(fields)
    }
}

/// A body sink that writes to a file, on disk threads: a slow disk may block for seconds, which threads of Swift's
/// concurrency pool must not.
actor FileSink: BodySink {
    /// How much goes to a thread at once.
    private static let gatherSize = 256 << 10

    private let target: String
    private let file: TemporaryFile
    private var gathered = BytesAccumulator(expected: gatherSize)
    private var written = 0

    init(target: String) async throws(SockeyeError) {
        self.target = target
        file = try await Self.translating { () async throws(FileFailure) in
            try await DiskThreadPool.opening.run { () throws(FileError) in
                try TemporaryFile.create(for: target, mode: 0o666)
            }
        }
    }

    func write<Chunk: Collection<UInt8> & Sendable>(_ chunk: Chunk) async throws(SockeyeError) {
        gathered.append((chunk as? Bytes) ?? Bytes(chunk))
        if gathered.count >= Self.gatherSize { try await flush() }
    }

    private func flush() async throws(SockeyeError) {
        let (bytes, file, start) = (gathered.finish(), file, written)
        written += bytes.count
        try await Self.translating { () async throws(FileFailure) in
            try await file.disk.run { () throws(FileError) in
                var position = start
                try file.write(bytes, at: &position)
            }
        }
    }

    /// Called once, when the producer has returned. The number of bytes.
    func finish() async throws(SockeyeError) -> Int {
        try await flush()
        let (file, target) = (file, target)
        _ = try await Self.translating { () async throws(FileFailure) in try await file.finish(at: target) }
        return written
    }

    /// Removes what was written, now: the thread that wrote last may have the file for a moment longer.
    nonisolated func abandon() {
        file.abandon()
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
