public import SockeyeEngine

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
        } catch let error as SockeyeError {
            throw error
        } catch {
            var fields = SockeyeError.Fields(
                error is CancellationError ? .cancelled : .bodyFailed, phase: .send, blame: .caller,
                message: "the producer of the body failed")
            fields.underlying = error
            throw SockeyeError(fields)
        }
    }
}
