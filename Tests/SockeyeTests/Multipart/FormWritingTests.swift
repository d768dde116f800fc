import Foundation
import Sockeye
import SockeyeTestSupport
import Testing

@Suite("Forms written to files", .timeLimit(.minutes(1)))
struct FormWritingTests {
    @Test("the file has exactly the bytes that would be sent, and the folder holds nothing else")
    func writes() async throws {
        let source = try ScratchFile("in", [UInt8](repeating: 5, count: 700_000))
        let target = try ScratchFile("out", "before".utf8)
        var form = MultipartForm()
        form.field("a", "1")
        try form.file("f", at: source.path)
        let body = try form.body()
        let count = try await body.write(toFile: target.path)
        #expect(count == body.length)
        let expected = try await CollectingSink.collect(body).bytes
        #expect(try Data(contentsOf: target.url) == Data(expected))
        #expect(target.siblings == ["out"])
    }

    @Test("a failed write leaves an existing file unchanged")
    func fails() async throws {
        struct Trouble: Error {}
        let target = try ScratchFile("out", "before".utf8)
        let broken: [(OutgoingRequest.Body, SockeyeError.Code)] = [
            (.stream(AsyncThrowingStream<[UInt8], any Error> { $0.finish(throwing: Trouble()) }), .bodyFailed),
            (.stream(Elements([[1, 2]] as [[UInt8]]), length: 1), .bodyLengthMismatch),
            (.stream(Elements([[1, 2]] as [[UInt8]]), length: 3), .bodyLengthMismatch),
        ]
        for (body, code) in broken {
            let error = await #expect(throws: SockeyeError.self) { try await body.write(toFile: target.path) }
            #expect(error?.code == code)
            #expect(try Data(contentsOf: target.url) == Data("before".utf8))
            #expect(target.siblings == ["out"])
        }
    }

    @Test(
        "the error about a file that cannot be created names its path",
        arguments: ["/nonexistent/folder/file", "/proc/nothing"])
    func unwritable(path: String) async {
        let error = await #expect(throws: SockeyeError.self) {
            try await OutgoingRequest.Body.string("x").write(toFile: path)
        }
        #expect(error?.code == .bodyFailed)
        #expect(error?.message.contains(path) == true)
    }

    @Test("a form is written neither over a pipe nor to a path with a NUL")
    func places() async throws {
        let target = try ScratchFile("out", "before".utf8)
        let pipe = target.path + ".pipe"
        unsafe #expect(mkfifo(pipe, 0o600) == 0)
        for path in [pipe, target.path + "\0.txt", target.path + "/", ""] {
            let error = await #expect(throws: SockeyeError.self) {
                try await OutgoingRequest.Body.string("x").write(toFile: path)
            }
            #expect(error?.code == .bodyFailed)
        }
        #expect(target.siblings == ["out", "out.pipe"])
        #expect(try Data(contentsOf: target.url) == Data("before".utf8))
    }

    @Test("after cancellation the file is either written completely or unchanged with an error")
    func cancelledAnywhere() async throws {
        for delay in 0..<60 {
            let target = try ScratchFile("out", "before".utf8)
            let task = Task { try await OutgoingRequest.Body.string("after").write(toFile: target.path) }
            for _ in 0..<delay * 3 { await Task.yield() }
            task.cancel()
            let isWritten = (try? await task.value) != nil
            // A disk thread may still be finishing its step after the call has returned.
            let expected = Data((isWritten ? "after" : "before").utf8)
            for _ in 0..<20 {
                #expect(try Data(contentsOf: target.url) == expected)
                await Task.yield()
            }
        }
    }

    @Test("cancelling the task ends the writing to a file")
    func cancelled() async throws {
        let target = try ScratchFile("out", "before".utf8)
        let task = Task {
            try await OutgoingRequest.Body.stream(AsyncStream<[UInt8]> { _ in }).write(toFile: target.path)
        }
        task.cancel()
        await #expect(throws: SockeyeError.self) { try await task.value }
        #expect(try Data(contentsOf: target.url) == Data("before".utf8))
        #expect(target.siblings == ["out"])
    }
}
