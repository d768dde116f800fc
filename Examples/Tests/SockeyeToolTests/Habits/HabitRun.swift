import Foundation
import Glibc
import Sockeye
import SockeyeTesting

@testable import SockeyeTool

/// A run of a habit by one program against a server of its own.
struct HabitRun: Sendable {
    let arrivals: [Arrival]
    let output: String
    let error: String
    let status: Int32
    let files: [String: String]

    /// The files in the folder of each run, which also has a symbolic link `link` to `part`.
    private static let files = [
        "f.txt": "a=1\r\nb=2\n", "j.json": "{\"x\": [1]}\n", "part": "01234", "done": "0123456789",
        "fields": "X-A: 1\nX-B: 2\n", "netrc": "machine 127.0.0.1 login ada password pw\n",
    ]

    /// Runs a habit in this process, or the program at a path.
    static func run(_ habit: Habit, program: String? = nil) async throws -> HabitRun {
        let folder = try Tool.Folder()
        for (name, text) in files { try folder.write(text, to: name) }
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "part")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.path("netrc"))
        let recorder = HabitServer()
        return try await withTestServer { request in
            try await recorder.answer(request)
        } run: { server in
            let url = "http://127.0.0.1:\(server.port)"
            let words = habit.words(url: url, folder: String(folder.path("").dropLast()))
            let outcome = try await outcome(habit, words, program, folder)
            _ = server.takeFailures()
            func settled(_ text: String) -> String {
                text.replacing(url, with: "{url}").replacing("\(server.port)", with: "{port}")
            }
            var written: [String: String] = [:]
            for name in habit.files.keys {
                written[name] = folder.read(name).map { String(decoding: $0, as: UTF8.self) }
            }
            return HabitRun(
                arrivals: recorder.arrivals, output: settled(outcome.output), error: settled(outcome.error),
                status: outcome.status, files: written)
        }
    }

    private static func outcome(
        _ habit: Habit, _ words: [String], _ program: String?, _ folder: Tool.Folder
    ) async throws -> Tool.Outcome {
        if let program {
            return try await Tool.start(program, words, input: habit.input, in: folder).outcome()
        }
        if habit.usesFolder { return try await Tool.run(words, input: habit.input, in: folder) }
        let logs = try Tool.Folder()
        for (name, text) in [("in", habit.input), ("out", ""), ("err", "")] { try logs.write(text, to: name) }
        let descriptors = ["in", "out", "err"].map { open(logs.path($0), O_RDWR | O_CLOEXEC) }
        defer { for descriptor in descriptors { close(descriptor) } }
        let streams = StandardStreams(input: descriptors[0], output: descriptors[1], error: descriptors[2])
        let status = await StandardStreams.$current.withValue(streams) { await SockeyeTool.run(words) }
        func text(_ name: String) -> String { logs.read(name).map { String(decoding: $0, as: UTF8.self) } ?? "" }
        return Tool.Outcome(output: text("out"), error: text("err"), status: status)
    }

    /// Returns the differences from the outcome that the habit expects; empty without differences.
    ///
    /// - Parameter includesError: True to look at standard error, too, whose text is different in each program.
    func differences(from habit: Habit, includesError: Bool) -> [String] {
        var differences: [String] = []
        if status != habit.status { differences.append("exit status \(status) instead of \(habit.status)") }
        if let expected = habit.output, output.replacing("\r\n", with: "\n") != expected {
            differences.append("output '\(output)' instead of '\(expected)'")
        }
        let isErrorExpected = habit.error.isEmpty ? error.isEmpty : error.contains(habit.error)
        if includesError, !isErrorExpected {
            differences.append("'\(error)' on standard error instead of '\(habit.error)'")
        }
        if arrivals.count != habit.arrivals.count {
            differences.append("\(arrivals.count) requests instead of \(habit.arrivals.count)")
        }
        for (arrival, expected) in zip(arrivals, habit.arrivals) {
            differences += arrival.differences(from: expected)
        }
        for (name, text) in habit.files where files[name] != text {
            differences.append("file \(name) with '\(files[name] ?? "nothing")' instead of '\(text)'")
        }
        return differences
    }
}
