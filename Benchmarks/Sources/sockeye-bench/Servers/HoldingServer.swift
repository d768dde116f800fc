/// Our own server that holds answers back.
final class HoldingServer {
    let port: Int
    let process: ChildProcess

    init(program: String) throws {
        process = try ChildProcess(program, [])
        guard let port = process.readLine(within: 5).flatMap({ Int($0) }) else {
            throw BenchFailure("holding-server did not start")
        }
        self.port = port
    }

    /// It ends when its standard input does.
    func stop() { process.end() }
}
