/// Our own server that discards uploads and says how many bytes there were.
final class UploadSink {
    let port: Int
    private let process: ChildProcess

    init(program: String) throws {
        process = try ChildProcess(program, [])
        guard let port = process.readLine(within: 5).flatMap({ Int($0) }) else {
            throw BenchFailure("upload-sink did not start")
        }
        self.port = port
    }

    /// It ends when its standard input does.
    func stop() { process.end() }
}
