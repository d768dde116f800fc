public import SockeyeEngine
public import SockeyeHTTP
public import SockeyeSerialization

extension HTTPClient {
    /// Starts to download a file.
    ///
    /// ```swift
    /// let task = try client.download(
    ///     "images/big.iso", to: "/data/big.iso", options: .parallel(4))
    /// for await progress in task.progress { bar.update(progress) }
    /// let file = try await task.value
    /// ```
    ///
    /// The file appears at its destination when it is complete and its checksums are verified. Until then its bytes are
    /// in a temporary file in the same folder. If the connection breaks off and the server supports resuming (RFC 9110
    /// 13.1.5, 14), the download continues on a new connection. The maximum number of continuations in a row without
    /// progress is ``OutgoingRequest/Options/maximumResumes``.
    ///
    /// A process can run only one download to a destination at a time. A second one fails with
    /// ``/Sockeye/SockeyeError/Code-swift.struct/fileFailed``, unless its policy is
    /// ``/Sockeye/ExistingFilePolicy/keepBoth``. A killed process leaves the temporary file; see
    /// ``ResumeData/removeStaleParts(beside:olderThan:keeping:)``.
    ///
    /// - Parameters:
    ///   - url: An absolute URL, or one relative to the client's base.
    ///   - destination: The destination of the file. A string literal is a path; for a variable use `.file(path)`.
    ///   - query: Parameters to append to the URL's query.
    ///   - headers: Fields of this call. They override the default fields of this client.
    ///   - options: Deadlines, limits and policies of this call; checksums, parts and resume file; the task's priority
    ///     and dependencies.
    /// - Throws: ``/Sockeye/SockeyeError/Code-swift.struct/invalidURL``, and
    ///   ``/Sockeye/SockeyeError/Code-swift.struct/encodingFailed`` if the query cannot be encoded. All other errors
    ///   end the task.
    public func download(
        _ url: some HTTPURL.Convertible, to destination: DownloadDestination, query: RequestParameters = [:],
        headers: Headers = [:], options: OutgoingRequest.Options = OutgoingRequest.Options()
    ) throws(SockeyeError) -> DownloadTask {
        let request = try makeRequest(.get, url, query: query, headers: headers, body: .none, options: options)
        return download(request, to: destination, nil)
    }

    /// Continues a download that ended before it was complete, in this or another process.
    ///
    /// - Parameters:
    ///   - resumeData: The value of ``TransferTask/cancelProducingResumeData()`` or ``SockeyeError/resumeData``.
    ///   - destination: The destination of the file. It must be on the same file system as the temporary file, or the
    ///     task fails (`EXDEV`).
    ///   - headers: Fields of the requests, including credentials, which the resume data does not contain.
    ///   - options: Deadlines, limits and policies of this call; checksums, parts and resume file; the task's priority
    ///     and dependencies.
    /// - Throws: ``/Sockeye/SockeyeError/Code-swift.struct/invalidURL``. All other errors end the task.
    public func download(
        resuming resumeData: ResumeData, to destination: DownloadDestination, headers: Headers = [:],
        options: OutgoingRequest.Options = OutgoingRequest.Options()
    ) throws(SockeyeError) -> DownloadTask {
        let request = try makeRequest(
            .get, resumeData.url, query: [:], headers: headers, body: .none, options: options)
        return download(request, to: destination, resumeData)
    }

    private func download(
        _ request: OutgoingRequest, to destination: DownloadDestination, _ resumeData: ResumeData?
    ) -> DownloadTask {
        var settings = DownloadSettings(destination: destination, options: request.options)
        settings.resumeData = resumeData
        var request = request
        request.change { $0.options.collectsMetrics = true }
        return TransferTask(.download, request, scope: scope, resuming: resumeData) {
            [request, settings] control throws(SockeyeError) in
            var request = request
            request.change { $0.options.gate = control.gate }
            let download = PausableDownload(client: self, request: request, settings: settings, control: control)
            return try await download.run()
        }
    }
}

/// A task that saves a response to a file.
public typealias DownloadTask = TransferTask<DownloadedFile>

extension TransferTask where Value == DownloadedFile {
    /// The current state for continuing the download, in this or another process. Nil until the head of the first
    /// response has arrived. Also nil if the server does not support resuming, or if the download is complete. If the
    /// task resumes an earlier download, the property is set from the start of the task.
    ///
    /// A download that is resumed from the value also uses bytes that this task writes after the property was read,
    /// unless this task downloads the file in parts. After the task has failed, the property is the
    /// ``Sockeye/SockeyeError/resumeData`` of its error.
    public nonisolated var resumeData: ResumeData? {
        guard !hasEnded else { return error?.resumeData }
        guard let data = control.resumeData, !data.hasGaps else { return control.resumeData }
        return data.with(bytesWritten: control.download.current.completed)
    }

    /// Cancels the task and returns the state for continuing it. The counterpart of `cancelByProducingResumeData:`.
    ///
    /// Also works for a paused task. For a task that has failed, returns the ``Sockeye/SockeyeError/resumeData`` of
    /// its error. Nil if the server does not support resuming, if no bytes have arrived, or if the download is
    /// complete. Call ``ResumeData/discard()`` if you do not need the state. If the calling Swift task is cancelled,
    /// this method does not wait and may return nil; once the download has ended, ``resumeData`` has the state.
    public func cancelProducingResumeData() async -> ResumeData? {
        cancel()
        await waitUntilEnded()
        return error?.resumeData
    }
}
