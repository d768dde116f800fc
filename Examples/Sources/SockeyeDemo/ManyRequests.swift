import Sockeye

/// Many small requests from several tasks at once, with one kept-alive connection for each task.
struct ManyRequests: Scene {
    let count: Int
    let parallel: Int

    func run(_ client: HTTPClient, _ terminal: Terminal) async throws {
        let (_, time) = try await timed {
            try await withThrowingTaskGroup { group in
                for worker in 0..<parallel {
                    group.addTask {
                        for _ in stride(from: worker, to: count, by: parallel) {
                            _ = try await client.get("/hello").text()
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        let seconds = time / Duration.seconds(1)
        let rate = Double(count) / seconds
        terminal.result(
            "\(grouped(count)) GETs, \(parallel) at a time", "\(grouped(Int(rate))) requests/s", format(time))
    }
}
