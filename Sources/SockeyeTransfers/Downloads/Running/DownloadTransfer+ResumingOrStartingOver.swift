import Sockeye
import SockeyeCore
import SockeyeEngine
import SockeyeHTTP
import SockeyePlatform

extension DownloadTransfer {
    /// The errors that make resume data useless: the temporary file is missing, or no download of this user created it.
    private static let lost: [SystemError] = [.notFound, .invalidArgument, .notPermitted, .symbolicLink]

    /// Opens the temporary file of an earlier run. If it is missing, the download starts over. If no download of this
    /// user created it, the download fails without resume data. After any other error the resume data stays valid.
    mutating func openTemporaryFile() async throws(SockeyeError) {
        guard let data = settings.resumeData else { return }
        do throws(FileFailure) {
            let file = try await settings.descriptorWait.open { () async throws(FileFailure) in
                try await DownloadFile.reopen(data.temporaryPath, calls: settings.fileCalls)
            }
            try await Self.removeUnusable(data, from: file)
            leftover = nil
            self.file = file
            let entity = ResumeMachine.Entity(validator: data.validator, total: data.totalBytes)
            machine = ResumeMachine(machine.rules, entity: entity, written: file.count)
        } catch {
            guard case .system(let fault) = error, Self.lost.contains(fault.systemError) else {
                throw SockeyeError(error)
            }
            leftover = nil
            guard fault.systemError == .notFound else { throw SockeyeError(error) }
            settings.onEvent(.startedOver)
        }
    }

    /// Truncates a reopened file to the bytes that can be used. If that fails, the file is kept, because the resume
    /// data stays valid.
    static func removeUnusable(_ data: ResumeData, from file: DownloadFile) async throws(FileFailure) {
        do throws(FileFailure) {
            // A file with gaps may have further bytes after the first gap.
            if data.hasGaps, file.count > data.bytesWritten { try await file.truncate(to: data.bytesWritten) }
            // A file longer than the announced total has other content, so no byte of it is used.
            if file.count > data.totalBytes ?? .max { try await file.truncate(to: 0) }
        } catch {
            file.keep()
            throw error
        }
    }

    /// Checks a destination path that is known in advance. Throws if no file can be created there.
    func checkDestination() async throws(SockeyeError) {
        guard let path = settings.destination.fixedPath else { return }
        let existing = settings.destination.existing
        try await onDisk { () throws(FileError) in try FilePath.check(path, existing) }
    }

    /// Decides on the destination. `response` is nil if the download needed no response.
    mutating func decide(_ response: IncomingResponse?) async throws(SockeyeError) {
        guard destination == nil else { return }
        guard let decided = try await settings.destination.path(response, to: request) else { return }
        let existing = settings.destination.existing
        claim = try await onDisk { () throws(FileError) in
            try FilePath.check(decided, existing)
            try FilePath.createFolders(FilePath.folder(of: decided))
            return existing == .keepBoth ? nil : try DestinationLock.take(decided)
        }
        // A server may have chosen the name.
        try await ResumeData.check(settings.options.resumeFile, isNot: decided)
        destination = decided
        settings.onEvent(.decided(decided))
    }

    private func onDisk<Value: Sendable>(
        _ work: @escaping @Sendable () throws(FileError) -> Value
    ) async throws(SockeyeError) -> Value {
        do throws(FileFailure) { return try await DiskThreadPool.opening.runToEnd(work) } catch {
            throw SockeyeError(error)
        }
    }

    /// Prepares to write the whole content, to a new file.
    ///
    /// The earlier file is removed. It must not be truncated and reused, because the caller may have stored resume data
    /// with its path. With that resume data, a later download would take the new bytes for bytes of the earlier
    /// version.
    mutating func startOver(_ response: IncomingResponse) async throws(SockeyeError) {
        try await decide(response)
        guard let destination else { return }
        verifier = try DownloadVerifier(checksums(of: response))
        let isFresh = file.map { $0.count == 0 } ?? true
        await file?.remove()
        file = nil
        let calls = settings.fileCalls
        do throws(FileFailure) {
            file = try await settings.descriptorWait.open { () async throws(FileFailure) in
                try await DownloadFile.create(beside: destination, calls: calls)
            }
        } catch {
            throw SockeyeError(error)
        }
        if !isFresh { settings.onEvent(.startedOver) }
        begin(response)
        try await writeResumeFile()
    }

    /// Prepares to write the rest of the content.
    mutating func continueWith(_ response: IncomingResponse) async throws(SockeyeError) {
        try await decide(response)
        if verifier == nil { verifier = try DownloadVerifier(checksums(of: response)) }
        guard let file, let destination else { return }
        do throws(FileFailure) { try await file.relocate(beside: destination) } catch { throw SockeyeError(error) }
        begin(response)
        settings.onEvent(.resumed(at: file.count, total: machine.entity?.total))
        try await writeResumeFile()
    }

    private func begin(_ response: IncomingResponse) {
        let (total, onEvent) = (machine.entity?.total, settings.onEvent)
        file?.reporting(on: settings.progressThreads) { onEvent(.progress(completed: $0, total: total)) }
        onEvent(.response(response))
        onEvent(.resumable(resumeData))
    }

    /// The checksums to verify: the caller's, or else those that this response announces, or else those of the response
    /// that started the download. Announced checksums count only if the caller's options allow it.
    func checksums(of response: IncomingResponse?) -> [Checksum] {
        guard settings.options.checksums.isEmpty, settings.options.verifiesAnnouncedChecksums else {
            return settings.options.checksums
        }
        // If the caller set Range, the response announces the checksums of the whole content (RFC 9530 3). They do not
        // apply to the part.
        let isCallersPart = !machine.rules.mayUseRanges && response?.statusCode == 206
        let announced = isCallersPart ? [] : response?.announcedChecksums ?? []
        return announced.isEmpty && machine.written > 0 ? settings.resumeData?.checksums ?? [] : announced
    }

    // MARK: Resume data

    /// The state for continuing the download from now on; nil if it cannot be continued.
    var resumeData: ResumeData? {
        guard let file, let entity = machine.entity, let validator = entity.validator, machine.rules.mayUseRanges,
            !machine.distrusts
        else { return nil }
        // Before the first response of a run, the checksums of the earlier run apply.
        let checksums = verifier?.checksums ?? settings.resumeData?.checksums ?? []
        return ResumeData(
            url: request.url, validator: validator, bytesWritten: written, totalBytes: entity.total,
            temporaryPath: file.path, checksums: checksums, hasGaps: partProgress != nil)
    }

    /// Writes the state to the caller's resume file if the download can be resumed. Otherwise removes the state of this
    /// download from there.
    mutating func writeResumeFile() async throws(SockeyeError) {
        guard let path = settings.options.resumeFile else { return }
        guard let resumeData else { return await removeState() }
        ownStates.insert(resumeData.temporaryPath)
        try await settings.descriptorWait.access { () async throws(SockeyeError) in
            try await resumeData.write(to: path)
        }
        stateHasGaps = resumeData.hasGaps
    }

    /// Writes the state at the end of the run to the caller's resume file, if any.
    private func writeLastState(_ resumeData: ResumeData) async {
        guard let path = settings.options.resumeFile else { return }
        // If neither state has gaps, the state in the resume file is as good as the new one, because a resumed download
        // uses all bytes of the temporary file. So a cancelled download need not wait for the disk.
        if Task.isCancelled, !resumeData.hasGaps, !stateHasGaps { return }
        // In another task, because a cancelled task starts no file operation.
        _ = await Task { try await resumeData.write(to: path) }.result
    }

    /// Removes the resume file, even if the task is cancelled, because the URL in the file may have secrets. Keeps the
    /// file if it has the state of another download.
    func removeState() async {
        guard let path = settings.options.resumeFile, !ownStates.isEmpty else { return }
        // In another task, because a cancelled task starts no file operation.
        await Task { [ownStates] in await ResumeData.removeFile(path, withStateOf: ownStates) }.value
    }

    /// The number of bytes at the start of the file that another download can reuse. In a download in parts, these are
    /// the bytes before the first gap. Otherwise the number is at most `machine.written`, which is already 0 if the
    /// download starts over and still has the old file.
    private var written: Int { partProgress?.contiguous ?? min(file?.written ?? 0, machine.written) }

    /// True if the file has usable bytes, or will get some from a pending write. A cancelled download does not wait for
    /// that write.
    private var hasUsableBytes: Bool {
        // Pending bytes are checked first, because they may become written bytes before the second check.
        let isPending = partProgress == nil && machine.written > 0 && file?.hasPendingBytes == true
        return isPending || written > 0
    }

    /// Keeps the bytes received so far if they are usable. The returned error then has the resume data.
    func end(with error: SockeyeError) async -> SockeyeError {
        let error = error.about(request)
        if let leftover { return error.with { $0.resumeData = leftover } }
        guard let file, hasUsableBytes, error.code != .checksumMismatch, await file.isInPlace, let resumeData else {
            await file?.remove()
            await removeState()
            return error
        }
        file.keep()
        await writeLastState(resumeData)
        return error.with { $0.resumeData = resumeData }
    }
}
