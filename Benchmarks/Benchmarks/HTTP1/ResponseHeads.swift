import Benchmark
import SockeyeCore
import SockeyeHTTP1

/// Parsing the head of a response, as it comes from a common server and with many fields.
func benchmarkResponseHeads() {
    for count in [4, 8, 40] {
        let head = responseHead(fields: count)
        Benchmark("response-head-\(count)-fields") { benchmark in
            for _ in benchmark.scaledIterations {
                var parser = ResponseHeadParser()
                blackHole(try parser.parse(head.span))
            }
        }
    }
}

/// A head with fields that servers really send, as many of them as asked for.
private func responseHead(fields count: Int) -> [UInt8] {
    let common = [
        "Server: nginx/1.22.1", "Date: Sat, 01 Mar 2025 12:00:00 GMT", "Content-Type: application/json; charset=utf-8",
        "Content-Length: 1270", "Connection: keep-alive", "ETag: \"65e1a2b3-4f6\"",
        "Cache-Control: max-age=600, must-revalidate", "Vary: Accept-Encoding",
    ]
    let fields = (0..<count).map { $0 < common.count ? common[$0] : "X-Field-\($0): value of field number \($0)" }
    return Array("HTTP/1.1 200 OK\r\n\(fields.joined(separator: "\r\n"))\r\n\r\n".utf8)
}
