import Sockeye
import SockeyeCore
import SockeyeTesting
import SockeyeTransfers
import Testing

/// A response that is written to a file and fails before its end.
@Suite("Responses that break off while they become files", .timeLimit(.minutes(1))) struct ResponseDownloadFaultTests {
    @Test("the error of a response that breaks off has resume data, with which a download fetches the rest")
    func resumed() async throws {
        let scene = try DownloadScene()
        let url = try await scene.resource.start([.cut(after: 70_000), .honest])
        let response = try await scene.client.get(url, headers: ["Accept-Encoding": "identity"])
        let error = await failure { _ = try await response.download(to: .file(scene.path)) }
        #expect(error?.code == .connectionClosed)
        let data = try #require(error?.resumeData)
        #expect(data.bytesWritten == 70_000 && data.totalBytes == scene.resource.body.count)
        _ = try await scene.client.download(resuming: data, to: .file(scene.path)).value
        #expect(scene.content == scene.resource.body && scene.names == ["file.bin"])
        #expect(scene.ranges == [nil, "bytes=70000-"])
        await scene.resource.stop()
    }

    @Test(
        "without a validator, or after a POST, no resume data and no file remain", arguments: [true, false])
    func lost(isPost: Bool) async throws {
        let scene = try DownloadScene()
        let head = "HTTP/1.1 200 OK\r\n\(isPost ? "ETag: \"v1\"\r\n" : "")Content-Length: 1000\r\n\r\nstart"
        let url = try await scene.resource.start([.raw(head)])
        let response = try await scene.client.send(OutgoingRequest(method: isPost ? .post : .get, url: url))
        let error = await failure { _ = try await response.download(to: .file(scene.path)) }
        #expect(error?.code == .connectionClosed && error?.resumeData == nil)
        #expect(scene.names == [])
        await scene.resource.stop()
    }
}
