import Benchmark
import MicroKit
import SockeyeHTTP

/// Steps that read the fields of a parsed head: the last one, a missing one, and all of them as `Headers`.
func benchmarkResponseFields() {
    for count in SampleHead.sizes {
        let head = SampleHead.parsed(fields: count)
        let last = Headers.Name(SampleHead.name(ofField: count - 1))
        require("the last field is there") { head.firstValue(last) != nil }
        Benchmark("field-present-in-\(count)") { benchmark in
            for _ in benchmark.scaledIterations {
                blackHole(head.firstValue(last))
            }
        }
        let absent = Headers.Name("Retry-After")
        require("the field is not there") { head.firstValue(absent) == nil }
        Benchmark("field-absent-from-\(count)") { benchmark in
            for _ in benchmark.scaledIterations {
                blackHole(head.firstValue(absent))
            }
        }
        require("no field is lost") { head.makeFields().count == count }
        Benchmark("http-fields-of-\(count)") { benchmark in
            for _ in benchmark.scaledIterations {
                blackHole(head.makeFields())
            }
        }
    }
}
