import Crypto
import Foundation
import SockeyeTransfers

/// Copies the files that a server lists into a folder, and reports the result to the server.
///
/// This is the program with Sockeye. MirrorExampleBefore has the same one with async-http-client.
struct FileMirror: Sendable {
    /// A file on the server.
    struct Entry: Codable {
        var name: String
        var sha256: String

        /// True if the name is that of a file in the folder itself, so that the server cannot choose another folder.
        var isInFolder: Bool { !["", ".", ".."].contains(name) && !name.contains { $0 == "/" || $0 == "\0" } }
    }

    /// A page of the server's list.
    struct Page: Codable {
        var files: [Entry]
        var next: Int?
    }

    /// The names of the files by their outcome.
    struct Report: Codable {
        var copied: [String] = []
        var unchanged: [String] = []
        var failed: [String] = []
    }

    /// A list that the program does not accept.
    struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }

    private let client: HTTPClient
    private let folder: String

    private static let width = 4

    /// Copies all files, four at a time.
    static func run(server: String, token: String, folder: String) async throws -> Report {
        var configuration = HTTPClient.Configuration()
        configuration.userAgent = "mirror/1.0"
        configuration.timeouts = Timeouts(
            total: .seconds(600), connect: .seconds(5), head: .seconds(30), stall: .seconds(30))
        configuration.pool.connectionsPerOrigin = width
        configuration.runningTasks = width
        let client = HTTPClient(configuration: configuration)
            .scoped(baseURL: server)
            .adding(.bearer(token), .redirects(.following(atMost: 5)), .retry(max: 3))
        let mirror = FileMirror(client: client, folder: folder)
        let report = try await mirror.copyAll(try await mirror.list())
        _ = try await client.put("report", .json(report)).validated()
        return report
    }

    private func list() async throws -> [Entry] {
        var entries: [Entry] = []
        var next: Int? = 1
        while let number = next {
            let page = try await client.get("list", query: ["page": number], as: Page.self)
            guard page.files.allSatisfy(\.isInFolder) else { throw Failure("a name of no file in the folder") }
            entries += page.files
            next = page.next
        }
        return entries
    }

    private func copyAll(_ entries: [Entry]) async throws -> Report {
        var report = Report()
        var copies: [(name: String, task: DownloadTask)] = []
        for entry in entries {
            if isUnchanged(entry) {
                report.unchanged.append(entry.name)
            } else {
                copies.append((entry.name, try copy(entry)))
            }
        }
        for (name, task) in copies {
            do {
                _ = try await task.value
                report.copied.append(name)
            } catch {
                guard error.code == .cancelled else {
                    report.failed.append(name)
                    continue
                }
                await client.transfers.cancelAll()
                throw error
            }
        }
        report.copied.sort()
        report.failed.sort()
        return report
    }

    /// Writes to a temporary file, and renames it if its checksum is right.
    private func copy(_ entry: Entry) throws -> DownloadTask {
        let name = entry.name.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? entry.name
        return try client.download(
            "files/\(name)", to: .file(path(of: entry.name)), options: .checksum(.sha256(entry.sha256)))
    }

    private func isUnchanged(_ entry: Entry) -> Bool {
        guard let data = FileManager.default.contents(atPath: path(of: entry.name)) else { return false }
        return SHA256.hash(data: data).elementsEqual(Checksum(.sha256, hex: entry.sha256)?.bytes ?? [])
    }

    private func path(of name: String) -> String { "\(folder)/\(name)" }
}
