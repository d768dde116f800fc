import Glibc
import Sockeye
import SockeyeTesting

/// Does each of the most common jobs of an HTTP client once, against a server in the same process.
///
///     swift run --package-path Examples twelve-jobs
@main
struct TwelveJobs {
    static let jobs: [any Job] = [
        GetAndDecode(), PostJSON(), PostForm(), MultipartFile(), StreamUp(), StreamDown(),
        DownloadFile(), RetryWithBackoff(),
        MutualTLS(), Deadline(), ThroughProxy(), Mocked(),
    ]

    static func main() async {
        var failed = false
        for (index, job) in jobs.enumerated() {
            do {
                let result = try await withTestServer(handler: JobServer.answer) { server in
                    try await job.run(HTTPClient().scoped(baseURL: server.url()))
                }
                print("\(index + 1) \(job.title): \(result)")
            } catch {
                failed = true
                print("\(index + 1) \(job.title): failed, \(error)")
            }
        }
        exit(failed ? 1 : 0)
    }
}
