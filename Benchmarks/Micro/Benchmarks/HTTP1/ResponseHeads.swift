import Benchmark
import MicroKit
import SockeyeHTTP

/// Steps that parse the head of a response with few fields, as from a common server, and with many.
func benchmarkResponseHeads() {
    for count in SampleHead.sizes {
        let head = SampleHead.bytes(fields: count)
        require("the head has \(count) fields") { SampleHead.summary(of: head).fieldCount == count }
        Benchmark("response-head-\(count)-fields") { benchmark in
            for _ in benchmark.scaledIterations {
                var parser = ResponseHeadParser()
                blackHole(try parser.parse(head.span))
            }
        }
    }
}
