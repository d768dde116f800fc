/// A server of this package that withholds responses.
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

    /// Ends the server by closing its standard input.
    func stop() { process.end() }
}
