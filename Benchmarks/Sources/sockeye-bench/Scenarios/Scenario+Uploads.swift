import BenchmarkKit

extension Scenario {
    static var uploads: [Scenario] {
        [false, true].map { chunked in
            Scenario(
                name: chunked ? "upload-1g-chunked" : "upload-1g", server: .sink,
                job: .upload(bytes: 1 << 30, chunked: chunked), connections: 1, measure: .bytes, isQuick: true)
        }
    }
}
