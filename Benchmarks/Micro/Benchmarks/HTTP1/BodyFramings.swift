import Benchmark
import SockeyeHTTP

/// A step that determines the body framing of eight different responses, in one run.
func benchmarkBodyFraming() {
    let fields = [
        "200 OK\r\nContent-Length: 1270", "200 OK\r\nContent-Length: 0", "200 OK\r\nTransfer-Encoding: chunked",
        "200 OK\r\nConnection: close", "204 No Content\r\nServer: nginx", "304 Not Modified\r\nContent-Length: 1270",
        "500 Internal Server Error\r\nTransfer-Encoding: gzip", "200 OK\r\nTransfer-Encoding: gzip, chunked",
    ]
    let heads = fields.map { SampleHead.summary(of: Array("HTTP/1.1 \($0)\r\n\r\n".utf8)) }
    Benchmark("body-framing-8-heads") { benchmark in
        for _ in benchmark.scaledIterations {
            for head in heads {
                blackHole(try BodyFraming.determine(head, for: .get))
                blackHole(BodyFraming.isAmbiguous(head))
            }
        }
    }
}
