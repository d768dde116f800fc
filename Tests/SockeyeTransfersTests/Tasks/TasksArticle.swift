import Sockeye
import SockeyeTransfers

/// The snippets of Tasks.md, which would need the host that they name: compiled, not run. Others are in
/// ReadmeTests.swift.
struct TasksArticle {
    @MainActor final class Bar {
        var fraction = 0.0
    }

    func progress(of task: TransferTask<Bytes>, bar: Bar) {
        Task { @MainActor [weak bar] in
            for await progress in task.progress { bar?.fraction = progress.fraction ?? 0 }
        }
    }

    func options(api: HTTPClient, expected: String) throws {
        let task = try api.download(
            "big.iso", to: "/var/data/big.iso",
            options: .timeout(total: .seconds(3600)).checksum(.sha256(expected)).parallel(4).priority(.high))
        print(task.id)
    }

    func head(api: HTTPClient) async throws {
        let response = try await api.get("report")
        let file = try await response.download(to: .folder("/var/reports"))
        print(file)
    }

    func many(urls: [String], client: HTTPClient) async throws {
        let pages = try await client.batch(urls, atMost: 20, as: .text).results { done, total in
            print("\(done) of \(total)")
        }
        print(pages.count)
    }
}
