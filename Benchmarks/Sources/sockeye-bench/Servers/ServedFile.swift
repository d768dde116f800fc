import BenchmarkKit
import CGzip
import Foundation

/// A file that nginx serves.
struct ServedFile {
    enum Content {
        /// Zeros without a place on the disk.
        case nothing
        /// A JSON array of so many users.
        case users(Int)
        /// The same, as text and not as one JSON value so many times in a row; on the disk only in its gzip form.
        case gzip(users: Int, times: Int)
    }

    /// Its path below the root of the server.
    let name: String
    /// The size of the body as a client sees it, after a content coding was undone.
    let bytes: Int
    let content: Content

    static let small = ServedFile(name: "small", bytes: 13, content: .nothing)
    static let medium = ServedFile(name: "medium", bytes: 1 << 20, content: .nothing)
    static let large = ServedFile(name: "large", bytes: 1 << 30, content: .nothing)

    /// Users as JSON, as they are or in a gzip form. Names differ, since nginx sends a gzip form wherever it finds one.
    static func users(_ count: Int, gzip: Bool) -> ServedFile {
        ServedFile(
            name: "users-\(count)\(gzip ? "-gzip" : "").json", bytes: json(count).count,
            content: gzip ? .gzip(users: count, times: 1) : .users(count))
    }

    /// Exactly 1 GiB in a gzip form. Text and not zeros, whose ratio of 1,000 is that of an attack.
    static let largeGzip = ServedFile(name: "large.txt", bytes: 1 << 30, content: .gzip(users: 2600, times: 1024))

    /// Writes the file, unless it is there already.
    func write(into folder: URL) throws {
        let file = folder.appending(path: name)
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
        }
    }

    /// The same bytes every time: the users are the same ones, and keys are in order.
    private static func json(_ users: Int) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Encoding values as plain as these cannot fail.
        return (try? encoder.encode(User.make(users))) ?? Data()
    }
}
