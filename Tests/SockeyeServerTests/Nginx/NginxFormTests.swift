import Foundation
import HTTPTypes
import Sockeye
import SockeyeTesting
import SockeyeTransfers
import Testing

/// Forms and files against nginx's limits: sizes, times and rates.
@Suite(
    "nginx: forms and limits", .serialized, .enabled(if: NginxServer.isInstalled, "\(NginxServer.missing)"),
    .timeLimit(.minutes(1)))
struct NginxFormTests {
    let nginx: NginxServer
    let client: HTTPClient

    init() async throws {
        nginx = try NginxServer.shared.get()
        client = nginx.client()
        try await NginxUpstream.start()
    }

    /// Returns a form with content from memory, a file and a stream.
    private func form(_ size: Int, isSized: Bool, in folder: String) throws -> MultipartForm {
        let file = folder + "/part"
        let content = RandomBytes.make(1 << 20)
        guard FileManager.default.createFile(atPath: file, contents: nil),
            let handle = FileHandle(forWritingAtPath: file)
        else { throw ServerFailure("no file for the form") }
        // The same mebibyte repeatedly, starting one byte later each time, so that a misplaced block is detected.
        for number in 0..<max(1, size >> 20) {
            try handle.write(contentsOf: Data([UInt8(truncatingIfNeeded: number)]))
            try handle.write(contentsOf: Data(content.slice(number..<content.count)))
        }
        try handle.close()
        var form = MultipartForm()
        form.field("title", "a form")
        form.data("data", content, filename: "data.bin")
        try form.file("file", at: file)
        let length = isSized ? content.count : nil
        form.stream("stream", Pieces(cutting: content), length: length, filename: "stream.bin", isReplayable: true)
        return form
    }

    private func inFolder(_ body: (String) async throws -> Void) async throws {
        let folder = try Scratch.makeFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }

    @Test(
        "a form of 64 MiB arrives byte for byte, with a length or in chunks",
        arguments: NginxServer.Scheme.allCases, [true, false])
    func large(scheme: NginxServer.Scheme, isSized: Bool) async throws {
        try await inFolder { folder in
            let form = try form(64 << 20, isSized: isSized, in: folder)
            let body = try form.body()
            #expect((body.length != nil) == isSized)
            let count = try await body.write(toFile: folder + "/form")
            #expect(count > 64 << 20)
            let name = "form-\(scheme)-\(isSized).bin"
            let response = try await client.put(
                nginx.url("/upload/\(name)", over: scheme), .body(body), headers: [.contentType: form.contentType])
            #expect(response.status == .created)
            let stored = nginx.folder + "/uploads/" + name
            defer { try? FileManager.default.removeItem(atPath: stored) }
            let (sent, taken) = (URL(filePath: folder + "/form"), URL(filePath: stored))
            #expect(
                try Digest.of(Data(contentsOf: taken, options: .alwaysMapped))
                    == Digest.of(Data(contentsOf: sent, options: .alwaysMapped)))
        }
    }

    @Test(
        "a form that is too large gets the 413, at once or midway, and its connection is closed",
        arguments: NginxServer.Scheme.allCases, [true, false])
    func tooLarge(scheme: NginxServer.Scheme, isSized: Bool) async throws {
        try await inFolder { folder in
            let form = try form(8 << 20, isSized: isSized, in: folder)
            for _ in 0..<5 {
                let response = try await client.put(
                    nginx.url("/midway/form.bin", over: scheme),
                    .body(try form.body()), headers: [.contentType: form.contentType])
                #expect(response.status == .contentTooLarge)
                #expect(try await response.text().contains("413"))
                let pool = client.pool?.statistics
                #expect(pool?.leased == 0 && pool?.idle == 0)
            }
            #expect(try await client.get(nginx.url("/small", over: scheme)).text() == "small")
            #expect(client.pool?.statistics.created == 6)
        }
    }

    @Test(
        "nginx closes the connections of uploads that stall, and the calls fail",
        arguments: NginxServer.Scheme.allCases)
    func stalls(scheme: NginxServer.Scheme) async throws {
        // nginx waits for a second, so the uploads stall at the same time.
        async let known: Void = stall(scheme, length: 1_000_000)
        try await stall(scheme, length: nil)
        try await known
        #expect(client.pool?.statistics.leased == 0)
        #expect(try await client.get(nginx.url("/small", over: scheme)).text() == "small")
        #expect(!FileManager.default.fileExists(atPath: nginx.folder + "/uploads/stalled.bin"))
    }

    private func stall(_ scheme: NginxServer.Scheme, length: Int?) async throws {
        let body = OutgoingRequest.Body.stream(Stalling(piece: RandomBytes.make(1000)), length: length)
        let url = nginx.url("/impatient/stalled.bin", over: scheme)
        // nginx closes without a response; a server that sends 408 first would be as good.
        let error = await #expect(throws: SockeyeError.self) { try await client.put(url, .body(body)) }
        #expect(error?.code == .connectionClosed && error?.blame == .peer)
    }

    @Test("the file in which nginx stores a body contains the whole form", arguments: [true, false])
    func spooled(isSized: Bool) async throws {
        try await inFolder { folder in
            let form = try form(3 << 20, isSized: isSized, in: folder)
            let body = try form.body()
            let count = try await body.write(toFile: folder + "/form")
            let answer = try await client.post(
                nginx.url("/spool/spooled"), .body(body), headers: [.contentType: form.contentType]
            ).text().split(separator: " ").map(String.init)
            try #require(answer.count == 2)
            #expect(answer[1] == String(count))
            let (kept, sent) = (URL(filePath: answer[0]), URL(filePath: folder + "/form"))
            #expect(try Digest.of(Data(contentsOf: kept)) == Digest.of(Data(contentsOf: sent)))
        }
    }

    /// The downloads over both schemes run at the same time, because each waits for nginx.
    @Test("a download follows nginx's rate limit and reports progress throughout")
    func rated() async throws {
        try await withThrowingTaskGroup { group in
            for scheme in NginxServer.Scheme.allCases { group.addTask { try await download(over: scheme) } }
            try await group.waitForAll()
        }
    }

    private func download(over scheme: NginxServer.Scheme) async throws {
        try await inFolder { folder in
            let clock = ContinuousClock()
            let start = clock.now
            let task = try client.download(
                nginx.url("/rated/pattern.bin", over: scheme), to: .file(folder + "/pattern.bin"))
            var seen: [Int] = []
            for await progress in task.progress { seen.append(progress.completed) }
            let file = try await task.value
            // 500 KiB at once and the rest at 1 MiB per second; nginx counts in whole seconds.
            #expect(clock.now - start > .seconds(1))
            #expect(file.count == NginxFiles.patternSize && file.interruptions == 0)
            #expect(seen == seen.sorted() && seen.count > 1)
            let content = try Data(contentsOf: URL(filePath: folder + "/pattern.bin"))
            #expect(TestPattern.matches(Bytes(content), at: 0))
        }
    }
}
