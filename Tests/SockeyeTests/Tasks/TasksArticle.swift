import Sockeye

/// The snippets of Tasks.md that show progress and activity: compiled, not run.
struct TasksArticle {
    @MainActor final class Bar {
        var fraction = 0.0
    }

    @MainActor final class Spinner {
        var isHidden = true
    }

    func progress(of task: TransferTask<Bytes>, bar: Bar) {
        Task { @MainActor [weak bar] in
            for await progress in task.progress { bar?.fraction = progress.fraction ?? 0 }
        }
    }

    func many(urls: [String], client: HTTPClient) async throws {
        let pages = try await client.batch(urls, atMost: 20, as: .text).results { done, total in
            print("\(done) of \(total)")
        }
        print(pages.count)
    }

    @MainActor func activity(spinner: Spinner) async throws {
        let activity = NetworkActivity()
        let client = HTTPClient().monitored(by: activity)
        for await isActive in activity.changes { spinner.isHidden = !isActive }

        let single = NetworkActivity(activationDelay: .zero, completionDelay: .zero)
        let report = try client.monitored(by: single).dataTask(.get, "https://example.com/report", as: .bytes)
        print(report.id)
    }
}
