import Benchmark
import MicroKit
import SockeyeHTTP

/// Steps that parse the media type of a response, and compare it with acceptable ones.
func benchmarkMediaTypes() {
    let samples = [
        "bare": "application/json",
        "charset": "text/html; charset=utf-8",
        "quoted": "multipart/form-data; boundary=\"gc0p4Jq0M2Yt08jU534c0p\"; charset=\"utf-8\"",
    ]
    for (name, text) in samples.sorted(by: { $0.key < $1.key }) {
        require("\(text) is a media type") { InternetMediaType(text) != nil }
        Benchmark("media-type-\(name)") { benchmark in
            for _ in benchmark.scaledIterations {
                blackHole(InternetMediaType(text))
            }
        }
    }
    let fieldValues = ["text/html; charset=utf-8"]
    Benchmark("media-type-of-message") { benchmark in
        for _ in benchmark.scaledIterations {
            blackHole(InternetMediaType.extract(from: fieldValues))
        }
    }
    let type = InternetMediaType("application/problem+json; charset=utf-8")
    require("the pattern matches") { type?.matches("application/*+json") == true }
    Benchmark("media-type-matches") { benchmark in
        for _ in benchmark.scaledIterations {
            blackHole(type?.matches("application/*+json"))
        }
    }
}
