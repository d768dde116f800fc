import Benchmark
import FoundationEssentials
import MicroKit
import Sockeye

/// Steps of a call with a decoded result, and of the same call with a body collected for a `JSONDecoder`, over a
/// transport that has the response in memory. `Scripts/micro-benchmarks.py` compares the two.
func benchmarkJSONCalls() {
    for (name, size) in [("2k", 2 << 10), ("64k", 64 << 10)] {
        let json = SampleRecord.list(bytes: size)
        let client = HTTPClient(transport: SampleTransport(json: json))
        require("there is a record for every 100 bytes") {
            try JSONDecoder().decode([SampleRecord].self, from: Data(json)).count >= json.count / 100
        }
        benchmarkCall("json-call-\(name)") { try await client.get(url, as: [SampleRecord].self) }
        benchmarkCall("json-call-\(name)-as") { try await client.get(url, as: .json([SampleRecord].self)) }
        // One decoder for all calls, because making one takes instructions, too.
        let decoder = JSONDecoder()
        benchmarkCall("other-json-call-\(name)-collected") {
            let body = try await client.get(url, headers: [.accept: "application/json"]).bytes()
            return try decoder.decode([SampleRecord].self, from: Data(body))
        }
    }
}

private func benchmarkCall(_ name: String, _ call: @escaping @Sendable () async throws -> [SampleRecord]) {
    Benchmark(name, configuration: Metrics.singleRuns) { benchmark in
        benchmark.startMeasurement()
        blackHole(try await call())
        benchmark.stopMeasurement()
    }
}

private let url = "http://api.example.com/v1/records"
