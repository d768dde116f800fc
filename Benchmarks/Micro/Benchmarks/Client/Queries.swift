import Benchmark
import FoundationEssentials
import MicroKit
import Sockeye

/// Steps that encode the parameters of a query, compared with the same pairs in Foundation.
func benchmarkQueries() {
    benchmarkEncoding("8", flat)
    benchmarkEncoding("32-long", long)
    Benchmark("query-flat-8") { benchmark in
        for _ in benchmark.scaledIterations {
            var query = RequestParameters()
            for (key, value) in flat { query[key] = .string(value) }
            blackHole(try? RequestParameters.Style.standard.encode(query))
        }
    }
    Benchmark("other-query-flat-8-urlcomponents") { benchmark in
        for _ in benchmark.scaledIterations {
            var components = URLComponents()
            components.queryItems = flat.map { URLQueryItem(name: $0.0, value: $0.1) }
            blackHole(components.percentEncodedQuery)
        }
    }

    let nested: RequestParameters = [
        "page": 2, "tags": ["swift", "linux", "http"], "archived": false,
        "filter": ["name": "J\u{fc}rgen", "range": ["from": "2025-01-01", "to": "2025-12-31"], "ids": [1, 2, 3]]
            as ParameterValue,
    ]
    Benchmark("query-nested") { benchmark in
        for _ in benchmark.scaledIterations {
            blackHole(try? RequestParameters.Style.afNetworking.encode(nested))
        }
    }
}

/// Measures only the encoding: parameters and query items exist already. `Scripts/micro-benchmarks.py` compares the
/// two.
///
/// The texts differ: Foundation keeps the order, and encodes fewer characters.
private func benchmarkEncoding(_ name: String, _ pairs: [(String, String)]) {
    let parameters = RequestParameters(pairs.map { ($0.0, .string($0.1)) })
    require("no pair is lost") {
        try RequestParameters.Style.standard.encode(parameters).split(separator: "&").count == pairs.count
    }
    Benchmark("query-encode-\(name)") { benchmark in
        for _ in benchmark.scaledIterations {
            blackHole(try? RequestParameters.Style.standard.encode(parameters))
        }
    }
    let items = pairs.map { URLQueryItem(name: $0.0, value: $0.1) }
    let url = URLComponents()
    Benchmark("other-query-encode-\(name)-urlcomponents") { benchmark in
        for _ in benchmark.scaledIterations {
            var components = url
            components.queryItems = items
            blackHole(components.percentEncodedQuery)
        }
    }
}

private let flat = [
    ("page", "2"), ("size", "50"), ("sort", "created"), ("order", "desc"), ("name", "J\u{fc}rgen M\u{fc}ller"),
    ("city", "New York"), ("status", "active"), ("fields", "id,name,city"),
]

private let long = (0..<32).map { ("parameter\($0)", "a value & more of it, \($0 * 7919): \u{20ac} and so on") }
