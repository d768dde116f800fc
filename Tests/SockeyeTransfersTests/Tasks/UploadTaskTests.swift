import Sockeye
import SockeyeCore
import SockeyeTesting
import SockeyeTransfers
import Testing

@Suite("Upload tasks", .timeLimit(.minutes(1))) struct UploadTaskTests {
    @Test("an upload task sends a form and reports progress up to its last byte")
    func form() async throws {
        try await withTestServer { request in
            let type = request["Content-Type"] ?? ""
            return .ok("\(type.hasPrefix("multipart/form-data; boundary=")) \(try await request.text().utf8.count)")
        } run: { server in
            let task = try HTTPClient().uploadTask(
                .post, server.url(),
                .multipart { form in
                    form.field("title", "Holiday")
                    form.field("text", String(repeating: "x", count: 300_000))
                })
            var last: TransferProgress?
            for await progress in task.progress { last = progress }
            let answer = String(decoding: try await task.value, as: UTF8.self)
            let count = try #require(last?.completed)
            #expect(answer == "true \(count)" && last?.total == count && count > 300_000)
        }
    }

    @Test("the progress of a compressed upload counts the compressed bytes, and has no total")
    func compressed() async throws {
        try await withTestServer { request in
            .ok("\(try await request.body.collect().count)")
        } run: { server in
            let content = HTTPClient.Content.bytes(Bytes([UInt8](repeating: 65, count: 1 << 20)))
            let task = try HTTPClient().uploadTask(
                .post, server.url(), content, options: .compressing(.gzip), as: .text)
            var last: TransferProgress?
            for await progress in task.progress { last = progress }
            _ = try await task.value
            let completed = try #require(last?.completed)
            #expect(completed > 0 && completed < 1 << 20 && last?.total == nil)
        }
    }

    @Test("a form whose closure throws starts no upload task")
    func broken() throws {
        struct Broken: Error {}
        let client = HTTPClient(transport: MockTransport { _ in .ok() })
        let error = #expect(throws: SockeyeError.self) {
            try client.uploadTask(.post, "http://a.example/", .multipart { _ in throw Broken() }, as: .text)
        }
        #expect(error?.code == .encodingFailed && error?.underlying is Broken)
        #expect(client.transfers.all().isEmpty)
    }
}
