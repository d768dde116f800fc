import Foundation
import Sockeye
import SockeyeCore
import SockeyeNet
import SockeyeTestSupport
import SockeyeTesting
import Synchronization
import Testing

/// Tests each API that reads from a peer against peers that never pause: twice as many connections as processors,
/// beside a normal request. Each case runs in a process of its own, so no other test keeps the cooperative pool busy.
@Suite("Peers that never pause", .serialized, .timeLimit(.minutes(3)))
struct EndlessTests {
    private static let count = 2 * ProcessInfo.processInfo.activeProcessorCount

    #if compiler(>=6.3)  // Exit tests accept values since this version (ST-0012).
    @Test(
        "an endless answer does not delay other requests, and ends within a second of its cancellation",
        arguments: zip(EndlessUse.all, EndlessUse.all.indices))
    func endless(_ use: EndlessUse, index: Int) async {
        let child = ChildProcess()
        await #expect(processExitsWith: .success, "\(child.report)") {
            [child = child as ChildProcess, index = index as Int] in
            await child.run { try await Self.run(EndlessUse.all[index]) }
        }
    }
    #endif

    private static func run(_ use: EndlessUse) async throws {
        let tls = use.isSecure ? try TestTLS(Credentials.authority.get()) : nil
        let servers = try await EndlessServers(use.answer, count: count, tls: tls)
        let streams = try servers.servers.map { server in
            let client = try use.client(of: server)
            let url = use.url(of: server)
            return EndlessStream { begun in try await use.read(client, url, begun) }
        }
        try await EndlessStream.demandOthersToRun(beside: streams)
        await servers.stop()
    }

    #if compiler(>=6.3)  // Exit tests accept values since this version (ST-0012).
    @Test("endless empty TLS records end their request, and other requests keep their deadlines")
    func records() async {
        let child = ChildProcess()
        await #expect(processExitsWith: .success, "\(child.report)") { [child = child as ChildProcess] in
            await child.run { try await Self.sendRecords() }
        }
    }
    #endif

    private static func sendRecords() async throws {
        let servers = try (0..<count).map { _ in
            try FaultServer(tls: try Credentials.server()) { peer in
                _ = try await peer.connection.read(through: "\r\n\r\n")
                guard let secure = peer.stream as? TLSStream else { return }
                while true {
                    switch secure.sendKeyUpdate() {
                    case .bytes, .end: await Task.yield()
                    case .failed: return
                    case .wouldBlock(let interest):
                        try await secure.wait(for: interest, as: .writer, until: .distantFuture)
                    }
                }
            }
        }
        let client = HTTPClient(configuration: try Credentials.configuration())
        let streams = servers.map { server in
            EndlessStream { begun in
                while !Task.isCancelled {
                    do { _ = try await client.get(server.url()) } catch {}
                    begun()
                }
            }
        }
        try await EndlessStream.demandOthersToRun(beside: streams)
    }
}
