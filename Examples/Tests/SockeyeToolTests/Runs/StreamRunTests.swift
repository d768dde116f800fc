import Foundation
import Glibc
import Sockeye
import SockeyeTesting
import Testing

@Suite("sockeye's files, pipes and standard streams", .timeLimit(.minutes(3)))
struct StreamRunTests {
    /// Answers with the content of the request.
    @Sendable
    private static func echo(_ request: TestRequest) async throws -> TestServerResponse {
        .text(try await request.text())
    }

    @Test(arguments: [
        ["-d", "@."], ["--data-binary", "@."], ["--data-urlencode", "a@."], ["-T", "."], ["-F", "a=<."],
        ["-F", "f=@."], ["-G", "--data-urlencode", "a@."], ["-H", "@."], ["a=@."], ["-w", "@."],
    ])
    func `a folder in place of a file is an error before the request`(arguments: [String]) async throws {
        let folder = try Tool.Folder()
        try await withTestServer(handler: Self.echo) { server in
            let run = try await Tool.run([server.url()] + arguments, in: folder)
            #expect(run.status == 26 && run.output == "", "\(run.status) \(run.error)")
            #expect(server.activity.requests == 0)
        }
    }

    @Test(arguments: [["-d", "@-"], ["-F", "f=@-"], ["--json", "@-"], ["-T", "-"]])
    func `a read error of standard input is an error of the upload`(arguments: [String]) async throws {
        let folder = try Tool.Folder()
        try await withTestServer(handler: Self.echo) { server in
            let input = FileHandle(
                fileDescriptor: open(folder.path(""), O_RDONLY | O_CLOEXEC), closeOnDealloc: true)
            let run = try Tool.start([server.url()] + arguments, in: folder, streams: .init(input: input))
            let outcome = try await run.outcome()
            #expect(outcome.status == 26 && outcome.output == "", "\(outcome.status) \(outcome.error)")
            // An upload by --upload-file sends its head first.
            if arguments[0] != "-T" { #expect(server.activity.requests == 0) }
            _ = server.takeFailures()
        }
    }

    @Test(arguments: [["-d", "@-"], ["-T", "-"]])
    func `standard input that is closed is an error`(arguments: [String]) async throws {
        let folder = try Tool.Folder()
        try await withTestServer(handler: Self.echo) { server in
            let outcome = try await Self.start([server.url()] + arguments, closing: "<&-", in: folder).outcome()
            #expect(outcome.status == 26 && outcome.output == "", "\(outcome.status) \(outcome.error)")
            #expect(outcome.error.contains("standard input cannot be read: Bad file descriptor"), "\(outcome.error)")
            _ = server.takeFailures()
        }
    }

    @Test(arguments: [([Int32(0)], "<&-"), ([1], ">&-"), ([0, 1, 2], "<&- >&- 2>&-")])
    func `no descriptor of the process gets the number of a standard stream that is closed`(
        numbers: [Int32], closing: String
    ) async throws {
        let isAsked = TestSignal()
        let isSeen = TestSignal()
        try await withTestServer { _ in
            isAsked.fire()
            try await isSeen.wait()
            return .text("content")
        } run: { server in
            let run = try Self.start([server.url()], closing: closing, in: Tool.Folder())
            try await isAsked.wait()
            for number in numbers { #expect(run.file(at: number) == "/dev/null") }
            isSeen.fire()
            let outcome = try await run.outcome()
            #expect(outcome.status == (numbers.contains(1) ? 23 : 0), "\(outcome.status) \(outcome.error)")
        }
    }

    @Test
    func `without standard streams, content goes to a file`() async throws {
        let folder = try Tool.Folder()
        try await withTestServer { _ in
            .text("content")
        } run: { server in
            let arguments = [server.url(), "-v", "-o", "file"]
            let outcome = try await Self.start(arguments, closing: "<&- >&- 2>&-", in: folder).outcome()
            #expect(outcome.status == 0)
            #expect(folder.read("file") == Data("content".utf8))
        }
    }

    /// Starts the command with some of its standard streams closed.
    ///
    /// - Parameter closing: Redirections of the shell, such as `>&-`.
    private static func start(_ arguments: [String], closing: String, in folder: Tool.Folder) throws -> ToolRun {
        try Tool.start("/bin/sh", ["-c", #"exec "$0" "$@" "# + closing, Tool.path] + arguments, in: folder)
    }

    @Test
    func `a pipe with O_NONBLOCK that has no content yet is read to its end`() async throws {
        let isAsked = TestSignal()
        try await withTestServer { request in
            isAsked.fire()
            return .text(try await request.text())
        } run: { server in
            let pipe = Pipe()
            Self.stopBlocking(pipe.fileHandleForReading)
            let streams = Tool.Streams(input: pipe.fileHandleForReading)
            let run = try Tool.start([server.url(), "-T", "-"], streams: streams)
            try await isAsked.wait()
            try pipe.fileHandleForWriting.write(contentsOf: Data("late".utf8))
            try pipe.fileHandleForWriting.close()
            let outcome = try await run.outcome()
            #expect(outcome.output == "late" && outcome.status == 0, "\(outcome.status) \(outcome.error)")
        }
    }

    @Test
    func `a pipe with O_NONBLOCK that is full takes the rest of the output later`() async throws {
        let content = String(repeating: "content ", count: 40_000)
        try await withTestServer { _ in
            .text(content)
        } run: { server in
            let pipe = Pipe()
            Self.stopBlocking(pipe.fileHandleForWriting)
            let run = try Tool.start([server.url()], streams: .init(output: pipe.fileHandleForWriting))
            // The command fills the pipe before the test reads it.
            while !Self.isFull(pipe.fileHandleForWriting) { try await Task.sleep(for: .milliseconds(5)) }
            try pipe.fileHandleForWriting.close()
            let output = await Self.rest(of: pipe.fileHandleForReading)
            let outcome = try await run.outcome()
            #expect(outcome.status == 0 && output == Data(content.utf8), "\(outcome.status) \(output.count)")
        }
    }

    @Test(arguments: [
        (["-T", "pipe"], "content"), (["--data-binary", "@pipe"], "content"), (["-d", "@pipe"], "content"),
        (["-F", "f=@pipe"], "filename=\"pipe\""), (["-F", "f=<pipe"], "content"),
    ])
    func `the content of a pipe with a name is sent`(arguments: [String], part: String) async throws {
        try await withTestServer(handler: Self.echo) { server in
            let outcome = try await Self.runWithPipe(arguments + [server.url("/p")])
            #expect(outcome.status == 0 && outcome.output.contains("content"), "\(outcome.error)")
            #expect(outcome.output.contains(part))
        }
    }

    @Test
    func `several URLs get the same content of a pipe, unless it is streamed`() async throws {
        try await withTestServer(handler: Self.echo) { server in
            let urls = [server.url("/1"), server.url("/2")]
            let kept = try await Self.runWithPipe(urls + ["--data-binary", "@pipe"])
            #expect(kept.status == 0 && kept.output == "contentcontent", "\(kept.error)")
        }
        try await withTestServer(handler: Self.echo) { server in
            let urls = [server.url("/1"), server.url("/2")]
            let pipe = try await Self.runWithPipe(urls + ["-T", "pipe"])
            #expect(pipe.status == 2 && pipe.error.contains("--upload-file"), "\(pipe.error)")
            for arguments in [urls, ["bench", server.url()]] {
                let input = try await Tool.run(arguments + ["-T", "-"], input: "content")
                #expect(input.status == 2 && input.error.contains("--upload-file"), "\(input.error)")
            }
            #expect(server.activity.requests == 0)
        }
    }

    /// Runs the command in a folder with the named pipe `pipe`, to which a shell writes.
    private static func runWithPipe(_ arguments: [String]) async throws -> Tool.Outcome {
        let script = """
            mkfifo pipe && { printf content > pipe & }
            "$0" "$@"; status=$?
            kill $! 2>/dev/null; exit $status
            """
        return try await Tool.start("/bin/sh", ["-c", script, Tool.path] + arguments, in: Tool.Folder()).outcome()
    }

    private static func stopBlocking(_ handle: FileHandle) {
        _ = fcntl(handle.fileDescriptor, F_SETFL, fcntl(handle.fileDescriptor, F_GETFL) | O_NONBLOCK)
    }

    private static func isFull(_ handle: FileHandle) -> Bool {
        var entry = pollfd(fd: handle.fileDescriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&entry, 1, 0) == 0
    }

    /// Reads to the end on a thread of its own.
    private static func rest(of handle: FileHandle) async -> Data {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: handle.readDataToEndOfFile()) }
        }
    }
}
