import Foundation

/// A common job of an HTTP client: a function, between two markers in its own file, and a server to run it against.
struct Job: Sendable {
    let title: String
    private let path: String
    private let body: @Sendable () async throws -> String

    init(_ title: String, path: String = #filePath, _ body: @escaping @Sendable () async throws -> String) {
        self.title = title
        self.path = path
        self.body = body
    }

    /// Runs the job once, for a minute at most, and returns a text about the result.
    func run() async throws -> String {
        try await withThrowingTaskGroup(of: String.self) { group in
            group.addTask { try await body() }
            group.addTask {
                try await Task.sleep(for: .seconds(60))
                throw Unfinished()
            }
            defer { group.cancelAll() }
            return try await group.next() ?? ""
        }
    }

    struct Unfinished: Error, CustomStringConvertible {
        var description: String { "not done after a minute" }
    }

    /// Returns the job's code as shown in the article: the lines between `// snippet.show` and `// snippet.hide`.
    func code() throws -> String {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let shown = text.split(separator: "// snippet.show\n").dropFirst().compactMap {
            $0.split(separator: "// snippet.hide").first
        }
        return shown.joined(separator: "\n").trimmingCharacters(in: .newlines)
    }

    /// Returns the number of lines of ``code()``, without empty lines and comments.
    func lines() throws -> Int {
        try code().split(separator: "\n").count { line in
            let text = line.drop { $0 == " " }
            return !text.isEmpty && !text.hasPrefix("//")
        }
    }

    static let all: [Job] = [
        getAndDecode, postAndRefusal, upload, formOfFiles, download, session, clientCertificate, proxy, chat, manyURLs,
        ownTests, observed, handler, signer, queries, secondRegion, envelope, callContext, sharedPool, ownSerializer,
    ]
}

/// Makes a folder for a job, and removes it afterwards.
func withFolder<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "sockeye-job-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
}

/// An unexpected result of a job.
struct Unexpected: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
