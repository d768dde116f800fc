import Benchmark
import SockeyeHTTP1

/// Writing the head of a request into memory that is there, with the checks of every name and value.
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
}

private func callerFields(_ count: Int) -> Headers {
    var headers = Headers()
    for number in 0..<count {
        headers.append(FieldName("X-Field-\(number)"), "value of field number \(number)")
    }
    return headers
}
