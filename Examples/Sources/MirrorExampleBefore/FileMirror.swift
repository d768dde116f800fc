import AsyncHTTPClient
import Crypto
import Foundation
import NIOCore
import NIOHTTP1

/// Copies the files that a server lists into a folder, and reports the result to the server.
///
/// This is the program with async-http-client. MirrorExample has the same one with Sockeye.
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

    /// An answer that the program cannot use.
    struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }

    private let client: HTTPClient
    private let server: String
    private let token: String
    private let folder: String

    private static let attempts = 4
    private static let width = 4
    private static let transient: Set<UInt> = [408, 429, 500, 502, 503, 504]

    /// Copies all files, four at a time.
    static func run(server: String, token: String, folder: String) async throws -> Report {
        var configuration = HTTPClient.Configuration.singletonConfiguration
        configuration.httpVersion = .http1Only
        configuration.timeout = .init(connect: .seconds(5), read: .seconds(30))
        configuration.redirectConfiguration = .follow(max: 5, allowCycles: false)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = width
        return try await HTTPClient.withHTTPClient(configuration: configuration) { client in
            let mirror = FileMirror(client: client, server: server, token: token, folder: folder)
            let report = try await mirror.copyAll(try await mirror.list())
            try await mirror.send(report)
            return report
        }
    }

    private func request(_ path: String, _ method: HTTPMethod = .GET) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: "\(server)/\(path)")
        request.method = method
        request.headers.add(name: "Authorization", value: "Bearer \(token)")
        request.headers.add(name: "User-Agent", value: "mirror/1.0")
        return request
    }

    /// Sends a request that may be repeated, up to four times.
    private func execute(_ request: HTTPClientRequest) async throws -> HTTPClientResponse {
        var pause = 0.5
        for _ in 1..<Self.attempts {
            do {
                let response = try await client.execute(request, timeout: .minutes(10))
                guard Self.transient.contains(response.status.code) else { return response }
                let asked = response.headers.first(name: "Retry-After").flatMap(Double.init)
                guard asked ?? 0 <= 30 else { return response }
                for try await _ in response.body {}  // so that the connection can be reused
                try await Task.sleep(for: .seconds(asked ?? .random(in: 0...pause)))
            } catch let error as HTTPClientError where Self.isTransient(error) {
                try await Task.sleep(for: .seconds(.random(in: 0...pause)))
            } catch is IOError {
                try await Task.sleep(for: .seconds(.random(in: 0...pause)))
            }
            pause = min(2 * pause, 30)
        }
        return try await client.execute(request, timeout: .minutes(10))
    }

    private static func isTransient(_ error: HTTPClientError) -> Bool {
        switch error {
        case .connectTimeout, .readTimeout, .remoteConnectionClosed, .tlsHandshakeTimeout: true
        default: false
        }
    }

    private func list() async throws -> [Entry] {
        var entries: [Entry] = []
        var next: Int? = 1
        while let number = next {
            var request = request("list?page=\(number)")
            request.headers.add(name: "Accept", value: "application/json")
            let response = try await execute(request)
            guard response.status == .ok else { throw Failure("the list: status \(response.status.code)") }
            let type = response.headers.first(name: "Content-Type") ?? ""
            guard type.hasPrefix("application/json") else { throw Failure("the list has the type \(type)") }
            let body = try await response.body.collect(upTo: 1 << 20)
            let page = try JSONDecoder().decode(Page.self, from: Data(body.readableBytesView))
            guard page.files.allSatisfy(\.isInFolder) else { throw Failure("a name of no file in the folder") }
            entries += page.files
            next = page.next
        }
        return entries
    }

    private func copyAll(_ entries: [Entry]) async throws -> Report {
        var report = Report()
        try await withThrowingTaskGroup(of: (name: String, isCopied: Bool).self) { group in
            var running = 0
            for entry in entries {
                if isUnchanged(entry) {
                    report.unchanged.append(entry.name)
                    continue
                }
                if running == Self.width, let done = try await group.next() {
                    Self.add(done, to: &report)
                    running -= 1
                }
                running += 1
                group.addTask {
                    do {
                        try await copy(entry)
                        return (entry.name, true)
                    } catch is CancellationError {
                        throw CancellationError()
                    } catch {
                        return (entry.name, false)
                    }
                }
            }
            for try await done in group { Self.add(done, to: &report) }
        }
        report.copied.sort()
        report.failed.sort()
        return report
    }

    private static func add(_ done: (name: String, isCopied: Bool), to report: inout Report) {
        if done.isCopied { report.copied.append(done.name) } else { report.failed.append(done.name) }
    }

    /// Writes to a temporary file, and renames it if its checksum is right.
    private func copy(_ entry: Entry) async throws {
        let name = entry.name.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? entry.name
        let response = try await execute(request("files/\(name)"))
        guard response.status == .ok else { throw Failure("\(entry.name): status \(response.status.code)") }
        let (part, destination) = (path(of: ".\(entry.name).part"), path(of: entry.name))
        guard FileManager.default.createFile(atPath: part, contents: nil) else {
            throw Failure("cannot create \(part)")
        }
        do {
            let digest = try await write(response.body, to: part)
            guard digest == entry.sha256 else { throw Failure("\(entry.name): another checksum") }
            guard rename(part, destination) == 0 else { throw Failure("cannot rename \(part)") }
        } catch {
            try? FileManager.default.removeItem(atPath: part)
            throw error
        }
    }

    private func write(_ body: HTTPClientResponse.Body, to part: String) async throws -> String {
        let file = try FileHandle(forWritingTo: URL(filePath: part))
        defer { try? file.close() }
        var digest = SHA256()
        for try await buffer in body {
            let data = Data(buffer.readableBytesView)
            digest.update(data: data)
            try file.write(contentsOf: data)  // blocks a thread of the cooperative pool
        }
        try file.synchronize()
        return hexadecimal(digest.finalize())
    }

    private func isUnchanged(_ entry: Entry) -> Bool {
        guard let data = FileManager.default.contents(atPath: path(of: entry.name)) else { return false }
        return hexadecimal(SHA256.hash(data: data)) == entry.sha256
    }

    private func path(of name: String) -> String { "\(folder)/\(name)" }

    private func send(_ report: Report) async throws {
        var request = request("report", .PUT)
        request.headers.add(name: "Content-Type", value: "application/json")
        request.body = .bytes(ByteBuffer(bytes: try JSONEncoder().encode(report)))
        let response = try await execute(request)
        guard (200..<300).contains(response.status.code) else {
            throw Failure("the report: status \(response.status.code)")
        }
    }

    private func hexadecimal(_ digest: SHA256.Digest) -> String {
        digest.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
