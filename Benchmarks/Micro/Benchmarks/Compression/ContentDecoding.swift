import Benchmark
import MicroKit
import SockeyeCore
import SockeyeHTTP

/// Steps that decode the content coding of a JSON text of 64 KiB, which arrives as a whole.
func benchmarkContentDecoding() {
    let records = (0..<1500).map {
        "{\"id\":\($0),\"name\":\"user \($0)\",\"active\":\($0 % 3 == 0),\"score\":\($0 * 7919 % 1000)}"
    }
    let text = Bytes(records.joined(separator: ",").utf8.prefix(65536))
    for coding in [ContentCoding.gzip, .deflate] {
        guard let coded = try? ContentEncoder.encode(text, as: coding) else { continue }
        require("the content is 64 KiB") { try decode(coded, as: coding) == 65536 }
        Benchmark("decode-\(coding.rawValue)-64k") { benchmark in
            for _ in benchmark.scaledIterations {
                blackHole(try decode(coded, as: coding))
            }
        }
    }
    Benchmark("content-coding-names") { benchmark in
        for _ in benchmark.scaledIterations {
            blackHole(try ContentCoding.parse(["gzip"]))
        }
    }
}

/// Decodes a text and returns the number of decoded bytes.
private func decode(_ coded: Bytes, as coding: ContentCoding) throws -> Int {
    let decoder = ContentDecoder([coding])
    decoder.push(coded)
    var count = 0
    while let piece = try decoder.next() { count += piece.count }
    try decoder.finish()
    return count
}
