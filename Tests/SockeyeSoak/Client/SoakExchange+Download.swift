import Sockeye
import SockeyeCore
import SockeyeEngine
import SockeyeEssentials
import SockeyeTransfers

extension SoakExchange {
    /// Downloads to a file. Some downloads are cancelled and resumed by another task from the resume data.
    func download(_ client: HTTPClient, _ url: String, _ folder: String) async throws -> Bytes? {
        let path = "\(folder)/\(String(nonce, radix: 16))"
        let content: Result<Bytes, any Error>
        do {
            try await receive(client, url, path)
            content = .success(try await Self.content(of: path))
        } catch {
            content = .failure(error)
        }
        await DiskThreadPool.opening.remove { try? FileManager.default.removeItem(atPath: path) }
        return try content.get()
    }

    /// Reads a file on a disk thread. A busy disk can block a thread for a second, and exchanges would be late if it
    /// were one of the cooperative pool.
    private static func content(of path: String) async throws -> Bytes {
        // In another task, because the exchange may have been cancelled after the download.
        let content = try await Task {
            try await DiskThreadPool.opening.run { FileManager.default.contents(atPath: path) }
        }.value
        guard let content else { throw UnmetCondition("a file") }
        return Bytes(content)
    }

    private func receive(_ client: HTTPClient, _ url: String, _ path: String) async throws {
        if nonce % 3 == 0 {
            try await resumed(client, url, path)
        } else {
            var settings = DownloadSettings(destination: .file(path))
            settings.backoff = .none
            let request = try OutgoingRequest(url: url, options: .timeout(total: behaviour.deadline))
            do throws(SockeyeError) {
                _ = try await ResumableDownload(client, request, settings).run()
            } catch {
                await error.resumeData?.discard()
                throw error
            }
        }
    }

    private func resumed(_ client: HTTPClient, _ url: String, _ path: String) async throws {
        let options = OutgoingRequest.Options.timeout(total: behaviour.deadline)
        let first = try client.download(url, to: .file(path), options: options)
        try? await Task.sleep(for: .microseconds(nonce % 2 == 0 ? 300 : 3000))
        if let data = await first.cancelProducingResumeData() {
            do {
                try await value(of: try client.download(resuming: data, to: .file(path), options: options))
            } catch {
                // A download whose task was cancelled before it began has not received the data, and cannot discard it.
                await data.discard()
                throw error
            }
        } else if (try? await value(of: first)) == nil {
            try await value(of: try client.download(url, to: .file(path), options: options))
        }
    }

    /// Waits for a download, passes a cancellation on to it, and leaves no resume data behind.
    private func value(of task: DownloadTask) async throws {
        do {
            try await withTaskCancellationHandler {
                _ = try await task.value
            } onCancel: {
                Task { await task.cancel() }
            }
        } catch {
            // Waits in a task that is not cancelled, because the download has to end before its file is removed.
            await Task.detached {
                await task.cancel()
                _ = try? await task.value
            }.value
            await task.resumeData?.discard()
            throw error
        }
    }
}
