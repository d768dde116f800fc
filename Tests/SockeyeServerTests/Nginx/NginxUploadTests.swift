import Foundation
import Sockeye
import SockeyeTesting
import Synchronization
import Testing

@Suite(
    "nginx: uploads", .enabled(if: NginxServer.isInstalled, "\(NginxServer.missing)"), .timeLimit(.minutes(1)))
struct NginxUploadTests {
    let nginx: NginxServer
    let client: HTTPClient

    init() throws {
        nginx = try NginxServer.shared.get()
        client = nginx.client()
    }

    enum Kind: CaseIterable {
        case bytes, file, streamWithLength, streamWithoutLength
    }

    @Test("nginx stores an upload byte for byte", arguments: NginxServer.Scheme.allCases, Kind.allCases)
    func uploads(scheme: NginxServer.Scheme, kind: Kind) async throws {
        let content = RandomBytes.make(5_000_003)
        let name = "\(kind)-\(scheme.rawValue).bin"
        let source = "\(nginx.folder)/temp/\(name)"
        let body: OutgoingRequest.Body
        switch kind {
        case .bytes: body = .bytes(content)
        case .file:
            try Data(content).write(to: URL(filePath: source))
            body = try .file(source)
        case .streamWithLength: body = .stream(Pieces(cutting: content), length: content.count)
        case .streamWithoutLength: body = .stream(Pieces(cutting: content))
        }
        let response = try await client.put(nginx.url("/upload/\(name)", over: scheme), .body(body))
        #expect(response.status.code == 201)
        _ = try await response.bytes()
        let stored = try Data(contentsOf: URL(filePath: "\(nginx.folder)/uploads/\(name)"))
        #expect(Digest.of(stored) == Digest.of(content))
        #expect(try await client.delete(nginx.url("/upload/\(name)", over: scheme)).status == .noContent)
        #expect(client.pool?.statistics.created == 1)
    }

    @Test("the client sends the body after 100 Continue")
    func expectsContinue() async throws {
        let interim = Mutex<[Int]>([])
        var options = OutgoingRequest.Options()
        options.expectContinue = .seconds(30)
        options.onInterim = { response in interim.withLock { $0.append(response.status.code) } }
        let content = RandomBytes.make(100_000)
        let response = try await client.put(
            nginx.url("/upload/permitted.bin"), .bytes(content), options: options)
        #expect(response.status == .created)
        #expect(interim.withLock { $0 } == [100])
        let stored = try Data(contentsOf: URL(filePath: nginx.folder + "/uploads/permitted.bin"))
        #expect(Digest.of(stored) == Digest.of(content))
    }

    @Test(
        "with Expect: 100-continue the client does not send a body that nginx refuses",
        arguments: NginxServer.Scheme.allCases)
    func isRefused(scheme: NginxServer.Scheme) async throws {
        let progress = Mutex(0)
        var options = OutgoingRequest.Options()
        options.expectContinue = .seconds(30)
        options.onBodyProgress = { count in progress.withLock { $0 = count } }
        let body = OutgoingRequest.Body.stream(Pieces(cutting: RandomBytes.make(1_000_000)), length: 1_000_000)
        let response = try await client.post(nginx.url("/narrow/x", over: scheme), .body(body), options: options)
        #expect(response.status == .contentTooLarge)
        #expect(try await !response.bytes().isEmpty)
        #expect(progress.withLock { $0 } == 0)
        #expect(try await client.get(nginx.url("/small", over: scheme)).text() == "small")
    }

    @Test(
        "the client returns a refusal that arrives while the body is being sent", arguments: NginxServer.Scheme.allCases
    )
    func isRefusedMidway(scheme: NginxServer.Scheme) async throws {
        for _ in 0..<5 {
            let pieces = Array(repeating: RandomBytes.make(100_000), count: 200)
            let body = OutgoingRequest.Body.stream(Pieces(pieces), length: 20_000_000)
            let response = try await client.post(nginx.url("/narrow/x", over: scheme), .body(body))
            #expect(response.status == .contentTooLarge)
            _ = try await response.bytes()
        }
        #expect(client.pool?.statistics.leased == 0)
    }
}
