/// A server of this package that discards uploads and answers with their size, and that sends chunked bodies.
final class UploadSink {
    let plain: Int
    let tls: Int
    let process: ChildProcess

    init(program: String, certificate: Certificate) throws {
        process = try ChildProcess(program, [certificate.chain, certificate.key])
        let ports = process.readLine(within: 5)?.split(separator: " ").compactMap { Int($0) } ?? []
        guard ports.count == 2 else { throw BenchFailure("upload-sink did not start") }
        (plain, tls) = (ports[0], ports[1])
    }

    /// Ends the server by closing its standard input.
    func stop() { process.end() }
}
