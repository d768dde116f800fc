import Glibc
import Sockeye
import SockeyeCache

/// Measures the cost of a response from the client's cache: `CacheCost hit|revalidation BYTES COUNT [URL]`.
///
/// Prints a line of JSON with the processor time (user and system, of the whole process) and the elapsed time of a
/// `client.get` whose content is read, in microseconds. Requests that the cache does not answer go to the server of the
/// URL. Without a URL, a transport in memory answers them.
@main struct CacheCost {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 4, let bytes = Int(arguments[2]), let count = Int(arguments[3]), count > 0 else {
            print("CacheCost hit|revalidation BYTES COUNT [URL]")
            exit(2)
        }
        let kind: CachePolicy.Outcome.Kind = arguments[1] == "hit" ? .hit : .revalidated
        let url = arguments.count > 4 ? arguments[4] : "https://api.example.com/v1/records/4711"
        let cache = CachePolicy(CachePolicy.MemoryStore(limit: 64 << 20))
        let client =
            arguments.count > 4
            ? HTTPClient().adding(.cache(cache))
            : HTTPClient(transport: OneAnswer(bytes: bytes, isFresh: kind == .hit), interceptors: [cache])
        _ = try await client.get(url).bytes()
        try await run(client, url, max(1, count / 10), bytes, kind)
        let (cpu, time) = (clock(CLOCK_PROCESS_CPUTIME_ID), clock(CLOCK_MONOTONIC))
        try await run(client, url, count, bytes, kind)
        let each = { (start: Double, end: Double) in
            let hundredths = ((end - start) / Double(count) * 1e8).rounded()
            return hundredths / 100
        }
        print(
            """
            {"job": "\(arguments[1])", "bytes": \(bytes), "count": \(count), \
            "cpu_us": \(each(cpu, clock(CLOCK_PROCESS_CPUTIME_ID))), "time_us": \(each(time, clock(CLOCK_MONOTONIC)))}
            """)
    }

    private static func run(
        _ client: HTTPClient, _ url: String, _ count: Int, _ bytes: Int, _ kind: CachePolicy.Outcome.Kind
    ) async throws {
        for _ in 0..<count {
            let response = try await client.get(url)
            let content = try await response.bytes()
            guard content.count == bytes else { fatalError("\(content.count) bytes: \(response)") }
        }
        let response = try await client.get(url)
        guard response.cacheOutcome?.kind == kind else { fatalError("\(response.cacheOutcome as Any)") }
    }

    private static func clock(_ id: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(id, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// A transport that answers with content, or with 304 if the request has If-None-Match.
private struct OneAnswer: HTTPTransport {
    let bytes: Int
    let isFresh: Bool

    func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
        let fields: Headers = [
            .cacheControl: isFresh ? "max-age=3600" : "no-cache", .eTag: "\"1\"", .contentType: "application/json",
            .server: "nginx/1.22.1", .lastModified: "Thu, 01 Jan 2026 00:00:00 GMT",
        ]
        guard request.headers[.ifNoneMatch] == nil else {
            return IncomingResponse(status: .notModified, headers: fields, url: request.url)
        }
        let content = Bytes([UInt8](repeating: 0x61, count: bytes))
        return IncomingResponse(status: .ok, headers: fields, body: content, url: request.url)
    }
}
