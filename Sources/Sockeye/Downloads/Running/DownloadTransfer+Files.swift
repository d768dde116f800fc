import Glibc
import SockeyeCore
import SockeyeHTTP1

extension DownloadTransfer {
    /// Opens what an earlier run left. If that is gone, this one starts over.
    mutating func reopen() throws(SockeyeError) {
        guard let data = settings.resumeData else { return }
        do throws(FileError) {
            let file = try DownloadFile.reopen(data.temporaryPath, calls: settings.calls)
            // Longer than it can be is something else.
            if file.count > data.totalBytes ?? .max { try file.truncate(to: 0) }
            self.file = file
            let entity = ResumeMachine.Entity(validator: data.validator, total: data.totalBytes)
            machine = ResumeMachine(machine.rules, entity: entity, written: file.count)
        } catch {
            guard error.code == ENOENT else { throw SockeyeError(error) }
            settings.onEvent(.startedOver)
        }
    }

    /// Decides where the file goes, the first time there is a response to look at.
    mutating func decide(_ response: Response?) async throws(SockeyeError) {
        guard destination == nil else { return }
        let decided = try await settings.destination.path(response, to: request) ?? settings.resumeData?.destinationPath
        guard let decided else { return }
        do throws(FileError) {
            try FilePath.check(decided, settings.destination.existing)
        } catch {
            throw SockeyeError(error)
        }
        destination = decided
    }

    /// Gets ready for the whole.
    mutating func startOver(_ response: Response) async throws(SockeyeError) {
        try await decide(response)
        guard let destination else { return }
        verifier = try DownloadVerifier(checksums(of: response))
        do throws(FileError) {
            if let file {
                let isFresh = file.count == 0
                try file.truncate(to: 0)
                if !isFresh { settings.onEvent(.startedOver) }
            } else {
                file = try DownloadFile.create(beside: destination, calls: settings.calls)
            }
        } catch {
            throw SockeyeError(error)
        }
        settings.onEvent(.response(response))
        if let resumeData { settings.onEvent(.resumable(resumeData)) }
    }

    /// Gets ready for the rest.
    mutating func goOn(_ response: Response) async throws(SockeyeError) {
        try await decide(response)
        if verifier == nil { verifier = try DownloadVerifier(checksums(of: response)) }
        guard let file else { return }
        settings.onEvent(.response(response))
        settings.onEvent(.resumed(at: file.count, total: machine.entity?.total))
    }

    /// What the content has to hash to: as the caller says, else as the response does, or the one that began it.
    func checksums(of response: Response?) -> [Checksum] {
        guard settings.checksums.isEmpty, settings.verifiesAnnouncedChecksums else { return settings.checksums }
        let announced = response?.announcedChecksums ?? []
        return announced.isEmpty && machine.written > 0 ? settings.resumeData?.checksums ?? [] : announced
    }

    // MARK: Resume data

    private var resumeData: ResumeData? {
        guard let file, let destination = destination ?? settings.resumeData?.destinationPath,
            let entity = machine.entity, let validator = entity.validator, machine.rules.mayUseRanges,
            !machine.distrusts
        else { return nil }
        return ResumeData(
            url: request.url, validator: validator, bytesWritten: file.count, totalBytes: entity.total,
            temporaryPath: file.path, destinationPath: destination, checksums: verifier?.checksums ?? [])
    }

    /// Keeps what came so far, if it is of any use; the error then says how to go on with it.
    func end(with error: SockeyeError) -> SockeyeError {
        let error = error.about(request)
        guard let file, file.count > 0, error.code != .checksumMismatch, file.isInPlace, let resumeData else {
            return error
        }
        file.keep()
        return error.with { $0.resumeData = resumeData }
    }
}
