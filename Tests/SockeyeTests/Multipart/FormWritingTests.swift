import Foundation
import Sockeye
import Testing

@Suite("A form written to a file", .timeLimit(.minutes(1)))
struct FormWritingTests {
    @Test("is what would have been sent, and nothing else is left in the folder")
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

    @Test("leaves what was there as it was when anything goes wrong")
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

    @Test("says so where the file cannot be made", arguments: ["/nonexistent/folder/file", "/proc/nothing"])
    func unwritable(path: String) async {
        let error = await #expect(throws: SockeyeError.self) {
            try await OutgoingRequest.Body.string("x").write(toFile: path)
        }
        #expect(error?.code == .bodyFailed)
        #expect(error?.message.contains(path) == true)
    }

    @Test("is not written in the place of a pipe, nor under a name that a NUL cuts off")
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

    @Test("is there as a whole, or an error says that it is not, whenever it is cancelled")
    func cancelledAnywhere() async throws {
        for delay in 0..<60 {
            let target = try ScratchFile("out", "before".utf8)
            let task = Task { try await OutgoingRequest.Body.string("after").write(toFile: target.path) }
            for _ in 0..<delay * 3 { await Task.yield() }
            task.cancel()
            let isWritten = (try? await task.value) != nil
            // What a thread has begun may take a while to end.
            let expected = Data((isWritten ? "after" : "before").utf8)
            for _ in 0..<20 {
                #expect(try Data(contentsOf: target.url) == expected)
                await Task.yield()
            }
        }
    }

    @Test("ends with its task")
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
