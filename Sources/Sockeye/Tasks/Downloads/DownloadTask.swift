/// A transfer whose response becomes a file.
public typealias DownloadTask = TransferTask<DownloadedFile>

extension TransferTask where Value == DownloadedFile {
    /// What resuming takes at this moment, also in another process; nil when the server does not give the means, or
    /// everything is done.
    ///
    /// While the task runs it may write more than this says; what is in the temporary file when it is resumed counts.
    public nonisolated var resumeData: ResumeData? {
        hasEnded ? error?.resumeData : control.resumeData?.with(bytesWritten: control.download.current.completed)
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
