import Foundation
import Sockeye
import SockeyeTesting
import Testing

@Suite(
    "nginx: bodies", .enabled(if: NginxServer.isInstalled, "\(NginxServer.missing)"), .timeLimit(.minutes(1)))
struct NginxBodyTests {
    let nginx: NginxServer
    let client: HTTPClient

    init() throws {
        nginx = try NginxServer.shared.get()
        client = nginx.client()
    }

    @Test("the client decodes gzip", arguments: NginxServer.Scheme.allCases)
    func decodesGzip(scheme: NginxServer.Scheme) async throws {
        let response = try await client.get(nginx.url("/numbers.json", over: scheme))
        #expect(response[.contentEncoding] == nil)
        let numbers: [Int] = try await response.json()
        #expect(numbers == NginxFiles.numbers)
    }

    @Test("the client leaves the body coded if configured so")
    func keepsGzip() async throws {
        var options = OutgoingRequest.Options()
        options.decompresses = false
        let plain = try await client.get(nginx.url("/numbers.json"), options: options)
        #expect(plain[.contentEncoding] == nil)
        let coded = try await client.get(
            nginx.url("/numbers.json"), headers: [.acceptEncoding: "gzip"], options: options)
        #expect(coded[.contentEncoding] == "gzip")
        #expect(try await coded.bytes().prefix(2).elementsEqual([0x1F, 0x8B]))
        #expect(try await plain.json([Int].self) == NginxFiles.numbers)
    }

    @Test("the client reads chunked bodies", arguments: NginxServer.Scheme.allCases)
    func readsChunked(scheme: NginxServer.Scheme) async throws {
        let response = try await client.get(nginx.url("/chunked/pattern.bin", over: scheme))
        #expect(response[.transferEncoding] == "chunked")
        #expect(response.body.expectedLength == nil)
        try await expectPatternAndTail(response)
        #expect(client.pool?.statistics.idle == 1)
    }

    @Test("the client reads bodies up to the end of the connection", arguments: NginxServer.Scheme.allCases)
    func readsUntilClose(scheme: NginxServer.Scheme) async throws {
        let response = try await client.get(nginx.url("/closing/pattern.bin", over: scheme))
        #expect(response[.transferEncoding] == nil)
        #expect(response[.contentLength] == nil)
        try await expectPatternAndTail(response)
        let statistics = client.pool?.statistics
        #expect(statistics?.idle == 0)
        #expect(statistics?.leased == 0)
    }

    private func expectPatternAndTail(_ response: IncomingResponse) async throws {
        let bytes = try await response.bytes()
        #expect(bytes.count == NginxFiles.patternSize + NginxFiles.tail.utf8.count)
        #expect(TestPattern.matches(bytes.slice(0..<NginxFiles.patternSize), at: 0))
        #expect(String(decoding: bytes.dropFirst(NginxFiles.patternSize), as: UTF8.self) == NginxFiles.tail)
    }

    @Test("the client reads a slow body for as long as bytes arrive")
    func readsSlowly() async throws {
        let client = nginx.client { $0.timeouts.stall = .seconds(20) }
        let response = try await client.get(nginx.url("/slow/pattern.bin"), headers: [.range: "bytes=0-150000"])
        var sizes: [Int] = []
        for try await chunk in response.body { sizes.append(chunk.count) }
        #expect(sizes.reduce(0, +) == 150_001)
        #expect(sizes.count > 1)
    }

    @Test("the client ends a slow body at the total deadline")
    func givesUp() async throws {
        let url = nginx.url("/slow/big.bin")
        let error = await #expect(throws: SockeyeError.self) {
            _ = try await client.get(url, options: .timeout(total: .milliseconds(300))).bytes(upTo: 2 << 30)
        }
        #expect(error?.code == .timeout)
        #expect(client.pool?.statistics.leased == 0)
    }

    @Test("dropping a response with a large body frees its connection")
    func dropsBody() async throws {
        for _ in 0..<5 { _ = try await client.get(nginx.url("/big.bin")) }
        #expect(try await client.get(nginx.url("/small")).text() == "small")
        while client.pool?.statistics.leased != 0 { await Task.yield() }
    }

    @Test("the client can stop within a large body and continue with the next request")
    func leavesBody() async throws {
        let response = try await client.get(nginx.url("/big.bin"))
        var received = 0
        for try await chunk in response.body {
            received += chunk.count
            if received > 1 << 20 { break }
        }
        #expect(try await client.get(nginx.url("/small")).text() == "small")
    }

    @Test("the client refuses a body that is longer than the caller accepts")
    func limitsBody() async throws {
        let url = nginx.url("/big.bin")
        let error = await #expect(throws: SockeyeError.self) { _ = try await client.get(url).bytes() }
        #expect(error?.code == .limitExceeded)
    }
}
