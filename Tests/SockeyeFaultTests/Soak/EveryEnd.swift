import Sockeye
import SockeyeCore
import SockeyeNet
import SockeyeTestSupport
import SockeyeTesting

/// Runs all cuts and endings, plain and over TLS, and counts descriptors.
enum EveryEnd {
    static func run() async throws {
        let plain = try await round(tls: nil, times: 1)
        let secure = try await round(tls: try Credentials.server(), times: 1)
        let before = DescriptorCount.current()
        let again = try await round(tls: nil, times: 5) + (try await round(tls: try Credentials.server(), times: 5))
        let after = try await DescriptorCount.settle(atMost: before)
        try demand(after <= before, "\(after) descriptors, \(before) before")
        ChildProcess.say("\(plain + secure + again) ends: descriptors \(after - before)")
    }

    private static func round(tls: TLSServerContext?, times: Int) async throws -> Int {
        let cases = Cut.allCases.flatMap { cut in Ending.allCases.map { (cut, $0) } }
        let server = try FaultServer(tls: tls) { peer in
            let (cut, ending) = cases[peer.index % cases.count]
            if cut.readsRequest { _ = try await peer.connection.read(through: "\r\n\r\n") }
            if !cut.sent.isEmpty { try await peer.connection.write(cut.sent) }
            try await ending.end(peer)
        }
        let client = HTTPClient(configuration: try Credentials.configuration())
        for _ in 0..<cases.count * times {
            _ = try? await client.get(server.url(), options: closing).text()
        }
        let pool = client.pool?.statistics
        try demand(pool?.leased == 0 && pool?.waiting == 0, "a pool at rest, not \(String(describing: pool))")
        return cases.count * times
    }

    private static var closing: OutgoingRequest.Options {
        var options = OutgoingRequest.Options()
        options.closesConnection = true
        return options
    }
}
