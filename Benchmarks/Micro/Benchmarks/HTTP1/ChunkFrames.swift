import Benchmark
import SockeyeHTTP

/// A step that writes the framing of the chunks of a request body, without the data.
func benchmarkChunkFrames() {
    let sizes = [1, 15, 16, 1000, 4096, 16384, 65535, 1 << 20]
    Benchmark("chunk-frames-8-sizes") { benchmark in
        withUnsafeTemporaryAllocation(byteCount: ChunkedEncoder.capacity, alignment: 1) { buffer in
            for _ in benchmark.scaledIterations {
                for size in sizes { blackHole(ChunkedEncoder.prefix(forChunkOf: size, into: buffer)) }
            }
        }
    }
    let trailers: Headers = [
        "Digest": "sha-256=X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=", "Server-Timing": "db;dur=53",
    ]
    Benchmark("chunk-end-2-trailers") { benchmark in
        for _ in benchmark.scaledIterations {
            blackHole(try ChunkedEncoder.end(trailers: trailers))
        }
    }
}
