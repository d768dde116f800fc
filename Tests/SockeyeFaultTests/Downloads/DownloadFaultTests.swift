import Sockeye
import SockeyeCore
import SockeyeHTTP
import SockeyeTestSupport
import SockeyeTesting
import Testing

@testable import SockeyeTransfers

/// Interrupted transfers and false statements of servers. The bytes on disk are the bytes served (RFC 9110 13.1.5,
/// 14.4).
@Suite(.timeLimit(.minutes(1))) struct DownloadFaultTests {
    typealias Answer = FaultyResource.Answer

    @Test(
        "a download that is cut at any place continues where it stopped", arguments: [0, 1, 150_000, 300_006],
        Answer.End.allCases)
    func dropped(place: Int, end: Answer.End) async throws {
        let scene = try DownloadScene()
        let result = try await scene.expectWhole(.cut(after: place, end), .honest)
        #expect(result.interruptions == 1 && scene.ranges.count == 2 && scene.ranges[0] == nil)
        // A reset discards bytes that the client has not read, so only an orderly close stops at a known place.
        if end == .close { #expect(scene.ranges[1] == (place == 0 ? nil : "bytes=\(place)-")) }
        #expect(scene.resource.requests.map(\.acceptEncoding) == ["identity", "identity"])
    }

    @Test("a download over TLS that is cut continues where it stopped")
    func droppedUnderTLS() async throws {
        let scene = try DownloadScene(client: HTTPClient(configuration: Credentials.configuration()))
        let certificate = try Credentials.authority.get().issue()
        try await scene.expectWhole(.cut(after: 70_000), .honest, tls: TestTLS(certificate))
        #expect(scene.ranges == [nil, "bytes=70000-"])
    }

    @Test("a download survives many drops with progress in between")
    func manyDrops() async throws {
        let scene = try DownloadScene()
        let cuts = [Answer](repeating: .cut(after: 65_536), count: 4)
        let result = try await scene.run(try await scene.resource.start(cuts + [.honest])) {
            $0.options.maximumResumes = 1
        }
        #expect(result.interruptions == 4 && scene.content == scene.resource.body)
        #expect(scene.ranges == [nil] + (1...4).map { "bytes=\($0 * 65_536)-" })
    }

    @Test("drops without progress end the download, and its error has resume data")
    func endlessDrops() async throws {
        let scene = try DownloadScene()
        let url = try await scene.resource.start([.cut(after: 100), .cut(after: 0)])
        let error = await failure { _ = try await scene.run(url) { $0.options.maximumResumes = 3 } }
        #expect(error?.code == .connectionClosed && scene.ranges.count == 4)
        #expect(error?.resumeData?.bytesWritten == 100 && scene.names.count == 1)
        await error?.resumeData?.discard()
        #expect(scene.names == [])
        await scene.resource.stop()
    }

    @Test("a connection whose server stops sending is closed, and the rest is requested again")
    func stalled() async throws {
        let clock = ManualClock()
        let scene = try DownloadScene(client: HTTPClient(configuration: .init(), clock: clock))
        let url = try await scene.resource.start([.stalling(after: 1000), .honest])
        let arrived = TestSignal()
        let task = Task {
            try await scene.run(url) { settings in
                settings.onEvent = { if case .progress(1000, _) = $0 { arrived.fire() } }
            }
        }
        try await arrived.wait(timeout: .seconds(20))
        // The clock advances in steps, because no event tells when the reader starts to wait.
        let result = try await clock.advancing(by: .seconds(1)) { try await task.value }
        #expect(result.interruptions >= 1)
        #expect(scene.content == scene.resource.body && scene.ranges.prefix(2) == [nil, "bytes=1000-"])
        await scene.resource.stop()
    }

    @Test("the total deadline covers all attempts together")
    func deadline() async throws {
        let clock = ManualClock()
        let scene = try DownloadScene(client: HTTPClient(configuration: .init(), clock: clock))
        let url = try await scene.resource.start([.cut(after: 100_000), .stalling(after: 0)])
        async let ended = failure {
            _ = try await scene.run(url, options: .timeout(total: .seconds(30)))
        }
        await eventually("a second request") { scene.ranges.count == 2 }
        clock.advance(by: .seconds(31))
        let error = await ended
        #expect(error?.code == .timeout && error?.limit?.name == "timeouts.total")
        #expect(error?.resumeData?.bytesWritten == 100_000 && scene.ranges.count == 2)
        await scene.resource.stop()
    }

    @Test("a 200 instead of a 206 starts the download over with the new version")
    func changed() async throws {
        let scene = try DownloadScene(FaultyResource(Bytes("another version")))
        let old = "HTTP/1.1 200 OK\r\nETag: \"v0\"\r\nContent-Length: 1000\r\n\r\nold bytes"
        try await scene.expectWhole(.raw(old), .honest)
        #expect(scene.ranges == [nil, "bytes=9-"])
        #expect(scene.resource.requests[1].ifRange == "\"v0\"")
    }

    @Test(
        "a part other than the requested one is not used, and the whole file is requested",
        arguments: [
            Answer.part(shift: -1), .part(shift: 1), .part(total: 300_008), .part(eTag: "\"v2\""),
            .part(eTag: "W/\"v1\""), .part(type: "multipart/byteranges; boundary=x"), .part(range: "bytes */300007"),
            .part(range: "bytes 99999999999999999999-1/2"), .part(extra: 1), .part(extra: 100_000),
        ])
    func lies(lie: Answer) async throws {
        let scene = try DownloadScene()
        try await scene.expectWhole(.cut(after: 1000), lie, .honest)
        #expect(scene.ranges == [nil, "bytes=1000-", nil])
    }

    @Test("a 206 without a requested range is refused")
    func unasked() async throws {
        let scene = try DownloadScene()
        let part = TestServerResponse.bytes(Bytes("x"), status: 206, headers: [.contentRange: "bytes 5-5/10"])
        let url = try await scene.resource.start([.fixed(part)])
        let error = await failure { _ = try await scene.run(url) }
        #expect(error?.code == .malformedResponse && scene.names == [] && scene.ranges.count == 1)
        await scene.resource.stop()
    }

    @Test(
        "a 416 with the received length completes the download, and one with another length starts it over",
        arguments: [9, 10])
    func unsatisfied(total: Int) async throws {
        let scene = try DownloadScene(FaultyResource(Bytes("all of it")))
        let chunked = "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nall of it\r\n"
        let unsatisfied = TestServerResponse.status(416, headers: [.contentRange: "bytes */\(total)"])
        try await scene.expectWhole(.raw(chunked), .fixed(unsatisfied), .honest)
        #expect(scene.ranges == [nil, "bytes=9-"] + (total == 9 ? [] : [nil]))
    }

    @Test("temporary refusals are retried, and other refusals end the download and keep the received bytes")
    func refusals() async throws {
        let scene = try DownloadScene()
        try await scene.expectWhole(
            .cut(after: 5000), .fixed(.status(503)), .fixed(.status(429)), .honest)
        #expect(scene.ranges == [nil, "bytes=5000-", "bytes=5000-", "bytes=5000-"])
        let other = try DownloadScene()
        let url = try await other.resource.start([.cut(after: 5000), .fixed(.status(404))])
        let error = await failure { _ = try await other.run(url) }
        #expect(error?.code == .unacceptableStatus && error?.resumeData?.bytesWritten == 5000)
        await other.resource.stop()
    }

    @Test("a cut chunked download continues after its last byte, or starts over without a strong validator")
    func chunks() async throws {
        for (tag, range) in [("ETag: \"v1\"\r\n", "bytes=7-"), ("ETag: W/\"v1\"\r\n", nil), ("", nil)] {
            let scene = try DownloadScene(FaultyResource(Bytes("chunked and whole")))
            let head = "HTTP/1.1 200 OK\r\n\(tag)Transfer-Encoding: chunked\r\n\r\n"
            try await scene.expectWhole(.raw(head + "11\r\nchunked"), .honest)
            #expect(scene.ranges == [nil, range])
        }
    }

    @Test("a body until close is complete at the end of its connection, but not at a reset")
    func untilClose() async throws {
        let scene = try DownloadScene(FaultyResource(Bytes("until the end")))
        let head = "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\n\r\n"
        try await scene.expectWhole(.raw(head, Bytes("until the end")))
        let other = try DownloadScene(FaultyResource(Bytes("until the end")))
        try await other.expectWhole(.raw(head, Bytes("until"), .reset), .honest)
        #expect(other.ranges.count == 2)
    }

    @Test("content with an unrequested coding is decoded unless decoding is off, and never resumed in the middle")
    func coded() async throws {
        // "hello" as one gzip member.
        let coded = Bytes([
            0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 7, 0, 0x86, 0xA6, 0x10, 0x36, 5, 0, 0, 0,
        ])
        let head = "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Encoding: gzip\r\nContent-Length: 25\r\n\r\n"
        for decompresses in [nil, true, false] {
            let scene = try DownloadScene(FaultyResource(decompresses == false ? coded : Bytes("hello")))
            let url = try await scene.resource.start([.raw(head, coded.slice(0..<20)), .raw(head, coded)])
            var options = OutgoingRequest.Options()
            options.decompresses = decompresses
            #expect(try await scene.run(url, options: options).interruptions == 1)
            #expect(scene.content == scene.resource.body && scene.ranges == [nil, nil])
            let asked = decompresses == true ? ContentCoding.accepted : "identity"
            #expect(scene.resource.requests.map(\.acceptEncoding) == [asked, asked])
            await scene.resource.stop()
        }
    }

    @Test("coded content in response to a request for the rest starts the download over and is decoded")
    func codedRest() async throws {
        // "hello" as one gzip member.
        let coded = Bytes([
            0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 7, 0, 0x86, 0xA6, 0x10, 0x36, 5, 0, 0, 0,
        ])
        let head = "ETag: \"v1\"\r\nContent-Encoding: gzip\r\nContent-Length: 25\r\n"
        for answer in ["200 OK\r\n", "206 Partial Content\r\nContent-Range: bytes 2-26/27\r\n"] {
            let scene = try DownloadScene(FaultyResource(Bytes("hello")))
            try await scene.expectWhole(
                .cut(after: 2), .raw("HTTP/1.1 \(answer)\(head)\r\n", coded),
                .raw("HTTP/1.1 200 OK\r\n\(head)\r\n", coded))
            #expect(scene.ranges == [nil, "bytes=2-", nil])
        }
    }

    @Test("a request that may not be sent twice is not repeated")
    func unrepeatable() async throws {
        let scene = try DownloadScene()
        let url = try await scene.resource.start([.cut(after: 1000), .honest])
        var settings = DownloadSettings(destination: .file(scene.path))
        settings.backoff = .none
        let request = try OutgoingRequest(method: .post, url: url, body: .bytes(Bytes("x")))
        let error = await failure { _ = try await ResumableDownload(scene.client, request, settings).run() }
        #expect(error?.code == .connectionClosed && error?.resumeData == nil)
        #expect(scene.names == [] && scene.ranges.count == 1)
        await scene.resource.stop()
    }

    @Test("a download that was cancelled in the middle is resumed with its resume data")
    func cancelled() async throws {
        let scene = try DownloadScene()
        let url = try await scene.resource.start([.stalling(after: 123_456), .honest])
        let arrived = TestSignal()
        let task = Task {
            await failure {
                _ = try await scene.run(url) { settings in
                    settings.onEvent = { event in
                        if case .progress(123_456, _) = event { arrived.fire() }
                    }
                }
            }
        }
        try await arrived.wait(timeout: .seconds(20))
        task.cancel()
        let error = await task.value
        #expect(error?.code == .cancelled)
        let data = try #require(error?.resumeData)
        #expect(data.bytesWritten == 123_456 && data.totalBytes == 300_007)
        let result = try await scene.run(url) { $0.resumeData = data }
        #expect(result.interruptions == 0 && scene.content == scene.resource.body && scene.names == ["file.bin"])
        #expect(scene.ranges == [nil, "bytes=123456-"])
        await scene.resource.stop()
    }

    @Test("a resumed download whose server is gone fails without waiting")
    func unreachable() async throws {
        let scene = try DownloadScene()
        let url = try await scene.resource.start([.cut(after: 1000)])
        let first = await failure { _ = try await scene.run(url) { $0.options.maximumResumes = 0 } }
        await scene.resource.stop()
        let second = await failure { _ = try await scene.run(url) { $0.resumeData = first?.resumeData } }
        #expect(second?.code == .connectFailed && second?.resumeData?.bytesWritten == 1000)
    }
}
