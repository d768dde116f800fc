import Benchmark
import MicroKit
import SockeyeHTTP

/// Steps that decode a chunked body of 64 KiB, which arrives as a whole, with chunks of several sizes.
func benchmarkChunkedBodies() {
    for size in [64, 1024, 16384] {
        let count = 65536 / size
        let chunk = "\(String(size, radix: 16))\r\n\(String(repeating: "x", count: size))\r\n"
        let body = Array((String(repeating: chunk, count: count) + "0\r\n\r\n").utf8)
        require("the content is 64 KiB") { try decode(body) == 65536 }
        Benchmark("chunked-64k-by-\(size)") { benchmark in
            for _ in benchmark.scaledIterations {
                blackHole(try decode(body))
            }
        }
    }
}

/// Decodes a body and returns the number of content bytes.
private func decode(_ body: [UInt8]) throws -> Int {
    var decoder = ChunkedDecoder()
    var (position, content) = (0, 0)
    while true {
        switch try decoder.decode(body.span.extracting(position...)) {
        case .data(let range):
            content += range.count
            position += range.upperBound
        case .needMore: return -1
        case .end: return content
        }
    }
}
