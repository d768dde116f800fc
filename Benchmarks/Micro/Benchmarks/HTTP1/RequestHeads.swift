import Benchmark
import SockeyeHTTP

/// Steps that write the head of a request into existing memory, and check every name and value.
func benchmarkRequestHeads() {
    let defaults = SampleRequest.defaults()
    for count in [0, 6] {
        let head = RequestHead(method: "GET", target: SampleRequest.target(), headers: callerFields(count))
        Benchmark("request-head-\(count + 2)-fields") { benchmark in
            try withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 8) { buffer in
                for _ in benchmark.scaledIterations {
                    blackHole(try RequestHeadEncoder.encode(head, defaults: defaults, into: buffer))
                }
            }
        }
    }
    benchmarkSetFields(defaults)
}

/// Steps that make a new request each time, as callers do. The cost of a field is a tenth of their difference.
private func benchmarkSetFields(_ defaults: DefaultFields) {
    let target = SampleRequest.target()
    for count in [0, 10] {
        Benchmark("request-head-\(count)-set-fields") { benchmark in
            try withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 8) { buffer in
                for _ in benchmark.scaledIterations {
                    let head = RequestHead(method: "GET", target: target, headers: count == 0 ? Headers() : setFields())
                    blackHole(try RequestHeadEncoder.encode(head, defaults: defaults, into: buffer))
                }
            }
        }
    }
}

private func setFields() -> Headers {
    var headers = Headers()
    headers.append(.accept, "application/json")
    headers.append(.acceptLanguage, "en-GB, en;q=0.8")
    headers.append(.authorization, "Bearer 2YotnFZFEjr1zCsicMWpAA")
    headers.append(.contentType, "application/json; charset=utf-8")
    headers.append(.cacheControl, "no-cache")
    headers.append(.ifNoneMatch, "\"33a64df551425fcc55e4d42a148795d9f25f89d4\"")
    headers.append("X-Request-Id", "7f9c24e5-2c0a-4b8e-9d3f")
    headers.append("X-Api-Version", "2024-11-01")
    headers.append("X-Client", "mobile/7.2")
    headers.append("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
    return headers
}

private func callerFields(_ count: Int) -> Headers {
    var headers = Headers()
    for number in 0..<count {
        headers.append(Headers.Name("X-Field-\(number)"), "value of field number \(number)")
    }
    return headers
}
