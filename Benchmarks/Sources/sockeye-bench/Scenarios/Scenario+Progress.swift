import BenchmarkKit

extension Scenario {
    /// Scenarios with a thousand simultaneous transfers of 1 MiB, each a task, with a reader of its progress (the
    /// client `sockeye-watched`) and without.
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
