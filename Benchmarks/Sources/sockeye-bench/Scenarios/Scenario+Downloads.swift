import BenchmarkKit

extension Scenario {
    static var downloads: [Scenario] {
        [
            download("download-1m-c16", .plain(.medium), of: .medium, connections: 16, isQuick: false),
            download("download-1g", .plain(.large), of: .large),
            download("download-1g-tls", .tls(.large), of: .large),
        ]
    }

    private static func download(
        _ name: String, _ server: Server, of file: ServedFile, connections: Int = 1, isQuick: Bool = true
    ) -> Scenario {
        Scenario(
            name: name, server: server, job: .get(expecting: file.bytes), connections: connections,
            measure: connections == 1 ? .bytes : .requests, isQuick: isQuick)
    }
}
