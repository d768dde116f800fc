public import SockeyeEngine
public import SockeyeHTTP
public import SockeyeSerialization

extension HTTPClient {
    /// Begins to download a file.
    ///
    /// ```swift
    /// let task = try client.download("images/big.iso", to: "/data/big.iso", options: .parallel(4))
    /// for await progress in task.progress { bar.update(progress) }
    /// let file = try await task.value
    /// ```
    ///
    /// The file appears at its destination when it is complete and its checksums are right; until then a temporary file
    /// beside it has the bytes. A connection that breaks off is replaced, and the download goes on where it was if the
    /// server lets it (RFC 9110 13.1.5, 14), up to ``OutgoingRequest/Options/maximumResumes`` times in a row.
    /// Only one download at a time has a destination: a second one of this process fails with ``SockeyeError/Code-swift.struct/fileFailed``, unless
    /// its policy is ``ExistingFilePolicy/keepBoth``. A process that is killed leaves the temporary file; see
    /// ``ResumeData/removeStaleParts(beside:olderThan:keeping:)``.
    ///
    /// - Parameters:
    ///   - url: Absolute, or relative to the client's base.
    ///   - destination: Where the file goes; a literal is a path, another text `.file(path)`.
    ///   - query: What is added to the query of the URL.
    ///   - headers: Fields of this call, which go before those of the scope.
    ///   - options: Deadlines, limits and policies of this call alone; checksums, parts, resume file; priority, dependencies.
    public func download(
        _ url: some HTTPURL.Convertible, to destination: DownloadDestination, query: RequestParameters = [:],
        headers: Headers = [:], options: OutgoingRequest.Options = OutgoingRequest.Options()
    ) throws(SockeyeError) -> DownloadTask {
        let request = try makeRequest(.get, url, query: query, headers: headers, body: .none, options: options)
        return download(request, to: destination, nil)
    }

    /// Continues a download that ended before it was complete, perhaps in another process.
    ///
    /// - Parameters:
    ///   - resumeData: Of ``TransferTask/cancelProducingResumeData()`` or ``SockeyeError/resumeData``.
    ///   - destination: Where the file goes. A folder other than that of the temporary file must be on the same file system
    ///     (`EXDEV`).
    ///   - headers: Fields of the requests; credentials are not part of the resume data.
    ///   - options: Deadlines, limits and policies of this call alone; checksums, parts, resume file; priority, dependencies.
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
            try await PausableDownload(client: self, request: request, settings: settings, control: control).run()
        }
    }
}

/// A transfer whose response becomes a file.
public typealias DownloadTask = TransferTask<DownloadedFile>

extension TransferTask where Value == DownloadedFile {
    /// What resuming takes at this moment, also in another process; nil when the server does not give the means, or
    /// everything is done.
    ///
    /// While the task runs it may write more than this says; what is in the temporary file when it is resumed counts.
    public nonisolated var resumeData: ResumeData? {
        guard !hasEnded else { return error?.resumeData }
        guard let data = control.resumeData, !data.isSparse else { return control.resumeData }
        return data.with(bytesWritten: control.download.current.completed)
    }

    /// Ends the task, and returns what resuming takes. The counterpart of `cancelByProducingResumeData:`.
    ///
    /// Of a task that is paused, too. Nil when the server does not give the means to resume, nothing has come yet, or the
    /// task had ended without being cancelled. Call ``ResumeData/discard()`` if it is not wanted after all.
    public func cancelProducingResumeData() async -> ResumeData? {
        cancel()
        await waitUntilEnded()
        return error?.resumeData
    }
}
