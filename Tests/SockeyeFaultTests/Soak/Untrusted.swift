import Sockeye
import SockeyeNet
import SockeyeTestSupport
import SockeyeTesting

/// Sends a thousand concurrent requests to a server with an untrusted certificate.
enum Untrusted {
    static func run() async throws {
        let server = try FaultServer(tls: try Credentials.server(), script: wellBehavedScript)
        var configuration = HTTPClient.Configuration()
        configuration.tls = TLSOptions(roots: try TestCertificateAuthority(commonName: "another authority").roots)
        let client = HTTPClient(configuration: configuration)
        let url = server.url()
        try await round(client, url, count: 200)
        let (descriptors, heap) = (DescriptorCount.current(), HeapUsage.current())
        for _ in 0..<3 { try await round(client, url, count: 1000) }
        let after = try await DescriptorCount.settle(atMost: descriptors)
        try demand(after <= descriptors, "\(after) descriptors, \(descriptors) before")
        let grown = HeapUsage.current() - heap
        try demand(grown < 4 << 20, "\(grown) bytes of heap more")
        ChildProcess.say("3000 refused certificates: heap \(grown) bytes, descriptors \(after - descriptors)")
    }

    private static func round(_ client: HTTPClient, _ url: String, count: Int) async throws {
        try await withThrowingTaskGroup(of: SockeyeError?.self) { group in
            for _ in 0..<count {
                group.addTask {
                    do {
                        _ = try await client.get(url)
                        return nil
                    } catch let error as SockeyeError {
                        return error
                    }
                }
            }
            for try await error in group {
                guard let error else { throw UnmetCondition("an error for an untrusted certificate") }
                let isRight = error.code == .tlsFailed && error.phase == .tls && error.blame == .peer
                try demand(isRight, "tlsFailed, not \(error)")
            }
        }
        let pool = client.pool?.statistics
        let isEmpty = pool?.waiting == 0 && pool?.leased == 0 && pool?.idle == 0
        try demand(isEmpty, "an empty pool, not \(String(describing: pool))")
    }
}
