import BenchmarkKit
import CGzip
import Foundation

/// A file that nginx serves.
struct ServedFile {
    enum Content {
        /// Zeros in a sparse file.
        case nothing
        /// A JSON array with a number of users.
        case users(Int)
        /// The text of such an array, repeated `times` times; only the gzip file is on the disk.
        case gzip(users: Int, times: Int)
        /// The same text, coded by a command; the file is served with the content coding.
        case coded(Coding, users: Int, times: Int)
    }

    /// A content coding by its name (RFC 9110 8.4.1, 7932, 8878).
    enum Coding: String, CaseIterable {
        case gzip, br, zstd

        /// The command that codes its standard input. Its window is smaller than the distance of the repetitions in the
        /// text, as gzip's is, so that the text shrinks about five times and repetitions are not coded as copies.
        var command: String {
            switch self {
            case .gzip: "gzip -6"
            case .br: "brotli --stdout --quality=5 --lgwin=18"
            case .zstd: "zstd --stdout --quiet -3 --zstd=wlog=18"
            }
        }

        /// The folder of files with this coding.
        var folder: String { "coded-\(rawValue)" }
    }

    /// The path of the file below the root of the server.
    let name: String
    /// The size of the body after decoding.
    let bytes: Int
    let content: Content

    static let small = ServedFile(name: "small", bytes: 13, content: .nothing)
    static let medium = ServedFile(name: "medium", bytes: 1 << 20, content: .nothing)
    static let large = ServedFile(name: "large", bytes: 1 << 30, content: .nothing)

    /// The folder of files that exist only as gzip files.
    static let gzipFolder = "gzip"

    /// Returns a file with users as JSON, plain or compressed with gzip.
    static func users(_ count: Int, gzip: Bool) -> ServedFile {
        ServedFile(
            name: "\(gzip ? gzipFolder + "/" : "")users-\(count).json", bytes: json(count).count,
            content: gzip ? .gzip(users: count, times: 1) : .users(count))
    }

    /// Exactly 1 GiB, compressed with gzip. It is text, because zeros have a ratio of 1,000, which looks like an
    /// attack.
    static let largeGzip = ServedFile(
        name: "\(gzipFolder)/large.txt", bytes: 1 << 30, content: .gzip(users: 2600, times: 1024))

    /// Returns the same text with a content coding, made by the coding's command.
    static func large(_ coding: Coding) -> ServedFile {
        ServedFile(
            name: "\(coding.folder)/large", bytes: 1 << 30, content: .coded(coding, users: 2600, times: 1024))
    }

    var coding: Coding? {
        switch content {
        case .nothing, .users: nil
        case .gzip: .gzip
        case .coded(let coding, _, _): coding
        }
    }

    /// Writes the file, unless it exists.
    func write(into folder: URL) throws {
        let file = folder.appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        switch content {
        case .nothing:
            try Data().write(to: file)
            let handle = try FileHandle(forWritingTo: file)
            try handle.truncate(atOffset: UInt64(bytes))
            try handle.close()
        case .users(let count):
            try Self.json(count).write(to: file)
        case .gzip(let users, let times):
            let piece = Self.json(users).prefix(bytes / times)
            guard piece.count * times == bytes else { throw BenchFailure("\(users) users are too few for \(name)") }
            let written = piece.withUnsafeBytes { piece in
                bench_gzip(file.path + ".gz", piece.baseAddress, piece.count, times)
            }
            guard written else { throw BenchFailure.system("cannot write \(file.path).gz") }
        case .coded(let coding, let users, let times):
            try write(Self.json(users).prefix(bytes / times), times, by: coding, to: file)
        }
    }

    private func write(_ piece: Data, _ times: Int, by coding: Coding, to file: URL) throws {
        let source = file.appendingPathExtension("piece")
        try piece.write(to: source)
        defer { try? FileManager.default.removeItem(at: source) }
        let script = "for i in $(seq \(times)); do cat \"$0\"; done | \(coding.command) >\"$1\""
        let process = try ChildProcess("bash", ["-o", "pipefail", "-c", script, source.path, file.path])
        _ = process.readAll(within: 300)
        guard process.end().status == 0 else { throw BenchFailure("cannot code \(file.path): \(coding.command)") }
    }

    /// Returns the JSON of users: the same bytes every time, because the users are the same and keys are sorted.
    private static func json(_ users: Int) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Encoding values as plain as these cannot fail.
        return (try? encoder.encode(User.make(users))) ?? Data()
    }
}
