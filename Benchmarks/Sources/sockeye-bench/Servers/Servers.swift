import Foundation

/// The servers of a run and the files that they serve, in a temporary folder.
final class Servers {
    let certificate: Certificate
    private let folder: URL
    private let nginx: Nginx
    private let sink: UploadSink

    init(programs: URL) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "sockeye-bench-\(UUID())")
        let files = folder.appending(path: "files")
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
        for file in ServedFile.all { try file.write(into: files) }
        certificate = try Certificate(folder: folder)
        nginx = try Nginx(folder: folder, certificate: certificate)
        sink = try UploadSink(program: programs.appending(path: "upload-sink").path)
    }

    /// Where a scenario sends its requests.
    func url(of scenario: Scenario) -> String {
        switch scenario.server {
        case .plain(let file): "http://127.0.0.1:\(nginx.plain)/\(file.name)"
        case .tls(let file): "https://127.0.0.1:\(nginx.tls)/\(file.name)"
        case .closing(let file): "http://127.0.0.1:\(nginx.closing)/\(file.name)"
        case .sink: "http://127.0.0.1:\(sink.port)/upload"
        }
    }

    func stop() {
        nginx.stop()
        sink.stop()
        try? FileManager.default.removeItem(at: folder)
    }
}
