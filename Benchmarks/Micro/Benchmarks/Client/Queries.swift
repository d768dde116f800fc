import Benchmark
import FoundationEssentials
import Sockeye

/// Encoding the parameters of a query, and beside it the same pairs with Foundation.
func benchmarkQueries() {
    let pairs = [
        ("page", "2"), ("size", "50"), ("sort", "created"), ("order", "desc"), ("name", "J\u{fc}rgen M\u{fc}ller"),
        ("city", "New York"), ("status", "active"), ("fields", "id,name,city"),
    ]
    Benchmark("query-flat-8") { benchmark in
        for _ in benchmark.scaledIterations {
            var query = Parameters()
            for (key, value) in pairs { query[key] = .string(value) }
            blackHole(try? ParameterStyle.standard.encode(query))
        }
    }
    // Not the same text: it keeps the order, and leaves more characters as they are.
    Benchmark("other-query-flat-8-foundation") { benchmark in
        for _ in benchmark.scaledIterations {
            var components = URLComponents()
            components.queryItems = pairs.map { URLQueryItem(name: $0.0, value: $0.1) }
            blackHole(components.percentEncodedQuery)
        }
    }

    let nested: Parameters = [
        "page": 2, "tags": ["swift", "linux", "http"], "archived": false,
        "filter": ["name": "J\u{fc}rgen", "range": ["from": "2025-01-01", "to": "2025-12-31"], "ids": [1, 2, 3]],
    ]
    Benchmark("query-nested") { benchmark in
        for _ in benchmark.scaledIterations {
            blackHole(try? ParameterStyle.standard.encode(nested))
        }
    }
}
