import Benchmark
import FoundationEssentials
import MicroKit
import Sockeye

/// A call whose result is decoded, and beside it the same call whose body is collected for a `JSONDecoder`, over a
/// transport that has the response in memory. `Scripts/micro-benchmarks.py` compares the two.
func benchmarkJSONCalls() {
    let small = SampleRecord.list(bytes: 2 << 10)
    benchmarkJSONCalls("2k", small, Metrics.configuration)
    let client = HTTPClient(transport: SampleTransport(json: small))
    Benchmark("json-call-2k-as") { benchmark in
        for _ in benchmark.scaledIterations {
            blackHole(try await client.get(url, as: .json([SampleRecord].self)))
        }
    }
    // A thousand of these take seconds, so that warming up shows in nothing but the time that it takes.
    var configuration = Metrics.configuration
    configuration.warmupIterations = 0
    benchmarkJSONCalls("64k", SampleRecord.list(bytes: 64 << 10), configuration)
}

private func benchmarkJSONCalls(_ name: String, _ json: [UInt8], _ configuration: Benchmark.Configuration) {
    require("there is a record for every 100 bytes") {
        try JSONDecoder().decode([SampleRecord].self, from: Data(json)).count >= json.count / 100
    }
    let client = HTTPClient(transport: SampleTransport(json: json))
    Benchmark("json-call-\(name)", configuration: configuration) { benchmark in
        for _ in benchmark.scaledIterations {
            let records: [SampleRecord] = try await client.get(url)
            blackHole(records)
        }
    }
    // One decoder for all calls, since making one costs, too.
    let decoder = JSONDecoder()
    Benchmark("other-json-call-\(name)-collected", configuration: configuration) { benchmark in
        for _ in benchmark.scaledIterations {
            let body = try await client.get(url, headers: [.accept: "application/json"]).bytes()
            blackHole(try decoder.decode([SampleRecord].self, from: Data(body)))
        }
    }
}

private let url = "http://api.example.com/v1/records"
