import Benchmark
import FoundationEssentials
import MicroKit
import Sockeye

/// A call whose result is decoded, and beside it the same call whose body is collected for a `JSONDecoder`, over a
/// transport that has the response in memory. `Scripts/micro-benchmarks.py` compares the two.
func benchmarkJSONCalls() {
    for (name, size) in [("2k", 2 << 10), ("64k", 64 << 10)] {
        let records = SampleRecord.list(bytes: size)
        let client = HTTPClient(transport: SampleTransport(json: records))
        require("the body has \(name)") { abs(records.count - size) < 200 }
        Benchmark("json-call-\(name)") { benchmark in
            for _ in benchmark.scaledIterations {
                let records: [SampleRecord] = try await client.get(url)
                blackHole(records)
            }
        }
        Benchmark("json-call-\(name)-as") { benchmark in
            for _ in benchmark.scaledIterations {
                blackHole(try await client.get(url, as: .json([SampleRecord].self)))
            }
        }
        // One decoder for all calls, as making one would be counted otherwise.
        let decoder = JSONDecoder()
        Benchmark("other-json-call-\(name)-collected") { benchmark in
            for _ in benchmark.scaledIterations {
                let body = try await client.get(url, headers: [.accept: "application/json"]).bytes()
                blackHole(try decoder.decode([SampleRecord].self, from: Data(body)))
            }
        }
    }
}

private let url = "http://api.example.com/v1/records"
