import Sockeye
import SockeyePlatform

/// A load of small GET requests over one or more connections. Each connection sends one request after the other.
struct RequestLoad: Sendable {
    let client: HTTPClient
    let url: String

    /// Sends requests until the time is over; each connection carries at least one request.
    ///
    /// - Returns: The time of each request from the call to the end of the response body, in nanoseconds.
    func run(over connections: Int, seconds: Double) async throws -> [Int64] {
        let end = SystemClock.monotonicNanoseconds + Int64(seconds * 1e9)
        return try await withThrowingTaskGroup(of: [Int64].self) { group in
            for _ in 0..<connections { group.addTask { try await requests(until: end) } }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    private func requests(until end: Int64) async throws -> [Int64] {
        var latencies: [Int64] = []
        var start = SystemClock.monotonicNanoseconds
        repeat {
            try await request()
            let now = SystemClock.monotonicNanoseconds
            latencies.append(now - start)
            start = now
        } while start < end
        return latencies
    }

    private func request() async throws {
        let response = try await client.get(url)
        var count = 0
        for try await chunk in response.body { count += chunk.count }
        guard response.status == .ok, count == BenchmarkServer.smallBody.utf8.count else {
            throw UnexpectedResponse(description: "status \(response.status.code) and \(count) bytes from \(url)")
        }
    }
}

/// The error of a measurement in which the server sent an unexpected response, or in which no bytes arrived.
struct UnexpectedResponse: Error, CustomStringConvertible {
    let description: String
}
