import Foundation
import Sockeye

/// 7: a file comes down, with progress; paused on the way, it goes on where it was.
struct DownloadFile: Job {
    let title = "download to a file with progress and resume"

    func run(_ client: HTTPClient) async throws -> String {
        let file = FileManager.default.temporaryDirectory.appending(path: "big-\(UUID()).iso").path()
        defer { try? FileManager.default.removeItem(atPath: file) }
        let task = try client.download("iso", to: file)
        await task.pause()
        await task.resume()
        var updates = 0
        for await progress in task.progress where progress.completed > 0 { updates += 1 }
        return "\(try await task.value.count) bytes, progress told: \(updates > 0)"
    }
}
