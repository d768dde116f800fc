import Benchmark
import MicroKit
import Sockeye
import SockeyeCache

/// A step of a call that the client's cache answers: 13 bytes, fresh; the caller does not read the fields.
func benchmarkCaches() {
    Benchmark("cache-hit") { benchmark in
        let client = HTTPClient(
            transport: FreshAnswer(), interceptors: [CachePolicy(CachePolicy.MemoryStore(limit: 1 << 20))])
        let url = "https://api.example.com/v1/records"
        let first = try await client.get(url)
        let second = try await client.get(url)
        require("the second answer is the store's") {
            first.cacheOutcome?.kind == .miss && second.cacheOutcome?.kind == .hit
        }
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations {
            blackHole(try await client.get(url))
        }
        benchmark.stopMeasurement()
    }
}

private struct FreshAnswer: HTTPTransport {
    func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
        IncomingResponse(
            status: .ok,
            headers: [.cacheControl: "max-age=3600", .contentType: "text/plain", .eTag: "\"1\""],
            body: Bytes("Hello, world!"), url: request.url)
    }
}
