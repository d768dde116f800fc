/// A proxy of this package that relays bytes: by CONNECT, by CONNECT within TLS, by SOCKS 5.
final class RelayProxy {
    let plain: Int
    let tls: Int
    let socks: Int
    let process: ChildProcess

    init(program: String, certificate: Certificate) throws {
        process = try ChildProcess(program, [certificate.chain, certificate.key])
        let ports = process.readLine(within: 5)?.split(separator: " ").compactMap { Int($0) } ?? []
        guard ports.count == 3 else { throw BenchFailure("relay-proxy did not start") }
        (plain, tls, socks) = (ports[0], ports[1], ports[2])
    }

    /// Ends the proxy by closing its standard input.
    func stop() { process.end() }
}
