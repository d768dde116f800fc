import BenchmarkKit

extension Scenario {
    /// A thousand transfers of 1 MiB at a time, each a task of its own: with somebody who iterates its progress (the client
    /// `sockeye-watched`), and with nobody who does.
    static var progress: [Scenario] {
        [
            progress("download", from: .plain(.medium), .get(expecting: ServedFile.medium.bytes)),
            progress("upload", from: .sink, .upload(bytes: ServedFile.medium.bytes, chunked: false)),
        ]
    }

    private static func progress(_ kind: String, from server: Server, _ job: Job) -> Scenario {
        Scenario(
            name: "progress-\(kind)-c1000", server: server, job: job, connections: 1000, measure: .requests,
            isQuick: false, purpose: .transfers)
    }
}
