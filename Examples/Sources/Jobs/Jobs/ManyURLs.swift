import Sockeye
import SockeyeTesting
import SockeyeTransfers
import Synchronization

// snippet.show
func pages(
    _ urls: [String],
    show: @escaping @Sendable (_ done: Int, _ total: Int) -> Void
) async throws -> [Result<String, SockeyeError>] {
    var configuration = HTTPClient.Configuration()
    configuration.pool.connectionsPerOrigin = 20
    let client = HTTPClient(configuration: configuration)
    return try await client.batch(urls, atMost: 20, as: .text).results(
        onProgress: show)
}
// snippet.hide

extension Job {
    /// Every hundredth page is missing.
    static let manyURLs = Job("500 URLs, 20 at a time, with k of n") {
        let running = Atomic(0)
        let most = Atomic(0)
        let told = Atomic(0)
        return try await withTestServer { request in
            most.max(running.add(1, ordering: .relaxed).newValue, ordering: .relaxed)
            defer { running.subtract(1, ordering: .relaxed) }
            return request.path.hasSuffix("00") ? .status(404) : .text("page \(request.path)")
        } run: { server in
            let urls = (0..<500).map { server.url("p\($0 + 1)") }
            let results = try await pages(urls) { done, total in
                if told.load(ordering: .relaxed) + 1 == done, total == 500 { told.store(done, ordering: .relaxed) }
            }
            let good = results.enumerated().count { (try? $1.get()) == "page /p\($0 + 1)" }
            guard most.load(ordering: .relaxed) <= 20 else { throw Unexpected("more than 20 at a time") }
            return "\(good) pages, \(results.count - good) errors, told up to \(told.load(ordering: .relaxed)) of 500"
        }
    }
}
