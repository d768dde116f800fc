import BenchmarkKit

extension Scenario {
    static var downloads: [Scenario] {
        [
            download("download-1m-c16", .plain(.medium), bytes: ServedFile.medium.bytes, connections: 16),
            download("download-1g", .plain(.large), isQuick: true),
            download("download-1g-tls", .tls(.large), isQuick: true),
            download("download-1g-chunked", .chunks(1 << 30)),
            download("download-1g-gzip", .plain(.largeGzip)),
        ]
    }

    private static func download(
        _ name: String, _ server: Server, bytes: Int = 1 << 30, connections: Int = 1, isQuick: Bool = false
    ) -> Scenario {
        Scenario(
            name: name, server: server, job: .get(expecting: bytes), connections: connections,
            measure: connections == 1 ? .bytes : .requests, isQuick: isQuick)
    }
}
