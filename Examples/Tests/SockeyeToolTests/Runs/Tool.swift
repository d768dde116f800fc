import Dispatch
import Foundation
import Glibc
import Sockeye
import Testing

/// Runs the built executable with arguments, and returns its output and exit status.
struct Tool {
    /// The output and the exit status of a run.
    struct Outcome: Sendable {
        let output: String
        let error: String
        let status: Int32

        /// Standard output as JSON.
        var json: JSONValue {
            get throws { try JSONValue(parsing: output) }
        }
    }

    /// The path of the executable, in the folder of the tests' executable.
    static let path: String = {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(filePath: own).deletingLastPathComponent().appending(path: "sockeye").path(percentEncoded: false)
    }()

    /// A temporary folder that is removed when its value is released.
    final class Folder: Sendable {
        let url: URL

        init() throws {
            url = FileManager.default.temporaryDirectory.appending(path: "sockeye-\(UUID().uuidString.prefix(8))")
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(at: url) }

        func path(_ name: String) -> String { url.appending(path: name).path(percentEncoded: false) }

        @discardableResult
        func write(_ text: String, to name: String) throws -> String {
            try text.write(toFile: path(name), atomically: true, encoding: .utf8)
            return path(name)
        }

        /// The names of the files, sorted.
        var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path("")))?.sorted() ?? [] }

        func read(_ name: String) -> Data? { FileManager.default.contents(atPath: path(name)) }
    }

    /// Runs the executable to its end, or for a minute. Its environment has no proxies, no colours and no terminal.
    static func run(
        _ arguments: [String], input: String = "", environment: [String: String] = [:], in folder: Folder? = nil
    ) async throws -> Outcome {
        try await start(arguments, input: input, environment: environment, in: folder).outcome()
    }

    /// Starts the executable.
    static func start(
        _ arguments: [String], input: String = "", environment: [String: String] = [:], in folder: Folder? = nil,
        streams: Streams = Streams()
    ) throws -> ToolRun {
        try ToolRun(path, arguments, input, environment, folder ?? Folder(), streams)
    }

    /// Starts another program in the same way.
    static func start(
        _ program: String, _ arguments: [String], input: String = "", in folder: Folder
    ) throws -> ToolRun {
        try ToolRun(program, arguments, input, [:], folder, Streams())
    }

    /// The standard streams of a run that are not files of its own.
    struct Streams {
        var input: FileHandle?
        var output: FileHandle?
        var error: FileHandle?
    }
}

/// A run that has started; it lasts for a minute at most.
final class ToolRun: Sendable {
    private let process = Process()
    private let folder: Tool.Folder
    private let logs: Tool.Folder
    private let ended = AsyncStream.makeStream(of: Int32.self)

    fileprivate init(
        _ program: String, _ arguments: [String], _ input: String, _ environment: [String: String],
        _ folder: Tool.Folder, _ streams: Tool.Streams
    ) throws {
        self.folder = folder
        logs = try Tool.Folder()
        for name in ["out", "err"] { try logs.write("", to: name) }
        try logs.write(input, to: "in")
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.currentDirectoryURL = folder.url
        process.environment = ["PATH": "/usr/bin:/bin", "HOME": folder.path(""), "LC_ALL": "C.UTF-8"]
            .merging(environment) { $1 }
        process.standardInput = streams.input ?? FileHandle(forReadingAtPath: logs.path("in"))
        process.standardOutput = streams.output ?? FileHandle(forWritingAtPath: logs.path("out"))
        process.standardError = streams.error ?? FileHandle(forWritingAtPath: logs.path("err"))
        process.terminationHandler = { [continuation = ended.continuation] process in
            continuation.yield(process.terminationStatus)
            continuation.finish()
        }
        try process.run()
        DispatchQueue.global().asyncAfter(deadline: .now() + 60) { [weak self] in self?.end() }
    }

    deinit { end() }

    private func end() {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// The words of the process as other users see them.
    var visibleWords: [String] {
        let content = FileManager.default.contents(atPath: "/proc/\(process.processIdentifier)/cmdline") ?? Data()
        return String(decoding: content, as: UTF8.self).split(separator: "\0").map(String.init)
    }

    /// The path or kind of the file that is open in the process at a descriptor; nil if none is.
    func file(at descriptor: Int32) -> String? {
        let link = "/proc/\(process.processIdentifier)/fd/\(descriptor)"
        return try? FileManager.default.destinationOfSymbolicLink(atPath: link)
    }

    /// Sends SIGINT, as Ctrl-C does.
    func interrupt() {
        kill(process.processIdentifier, SIGINT)
    }

    func outcome() async throws -> Tool.Outcome {
        var status: Int32 = -1
        for await ending in ended.stream { status = ending }
        func text(_ name: String) -> String { logs.read(name).map { String(decoding: $0, as: UTF8.self) } ?? "" }
        return Tool.Outcome(output: text("out"), error: text("err"), status: status)
    }
}
