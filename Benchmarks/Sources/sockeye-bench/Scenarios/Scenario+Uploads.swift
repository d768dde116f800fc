import BenchmarkKit

extension Scenario {
    static var uploads: [Scenario] {
        [
            upload("upload-1g"),
            upload("upload-1g-chunked", chunked: true),
            upload("upload-1g-file", of: .large, isQuick: false),
            upload("upload-1g-tls", to: .sinkTLS, isQuick: false),
            Scenario(
                name: "upload-1g-form", server: .sink, job: .form(bytes: 1 << 30), connections: 1, measure: .bytes,
                isQuick: false, uploadedFile: .large),
        ]
    }

    private static func upload(
        _ name: String, to server: Server = .sink, chunked: Bool = false, of file: ServedFile? = nil,
        isQuick: Bool = true
    ) -> Scenario {
        Scenario(
            name: name, server: server, job: .upload(bytes: 1 << 30, chunked: chunked), connections: 1,
            measure: .bytes, isQuick: isQuick, uploadedFile: file)
    }
}
