import BenchmarkKit

extension Scenario {
    /// All scenarios, in the order in which they run and are reported. Add one here; clients need not know it.
    static var all: [Scenario] {
        smallGets + connectionPerRequest + downloads + uploads
    }

    /// A 13-byte body over connections that are kept alive.
    private static var smallGets: [Scenario] {
        [false, true].flatMap { tls in
            [1, 16, 64, 256].map { connections in
                Scenario(
                    name: "get\(tls ? "-tls" : "")-c\(connections)", server: tls ? .tls(.small) : .plain(.small),
                    job: .get(expecting: ServedFile.small.bytes), connections: connections, measure: .requests,
                    isQuick: connections == 1 || connections == 64)
            }
        }
    }

    /// The server closes each connection after its answer.
    private static var connectionPerRequest: [Scenario] {
        [1, 16].map { connections in
            Scenario(
                name: "connect-c\(connections)", server: .closing(.small),
                job: .get(expecting: ServedFile.small.bytes), connections: connections, measure: .requests,
                isQuick: connections == 16)
        }
    }

    private static var downloads: [Scenario] {
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

    private static var uploads: [Scenario] {
        [false, true].map { chunked in
            Scenario(
                name: chunked ? "upload-1g-chunked" : "upload-1g", server: .sink,
                job: .upload(bytes: 1 << 30, chunked: chunked), connections: 1, measure: .bytes, isQuick: true)
        }
    }
}
