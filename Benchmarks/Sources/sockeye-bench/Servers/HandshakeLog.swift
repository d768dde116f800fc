import Foundation

/// What nginx writes down of each TLS handshake: an `r` for a session that was resumed, a dot for one that was not.
///
/// A character a handshake costs it nothing, but waiting for a disk that is busy would, so the file is in memory where
/// that can be had.
struct HandshakeLog {
    private let file: URL
    private let reader: FileHandle

    init(folder: URL) throws {
        let memory = URL(filePath: "/dev/shm", directoryHint: .isDirectory)
        let isThere = FileManager.default.isWritableFile(atPath: memory.path)
        file = (isThere ? memory : folder).appending(path: "sockeye-bench-\(UUID())")
        try Data().write(to: file)
        reader = try FileHandle(forReadingFrom: file)
    }

    /// Takes the name away once nginx has the file open: what has none goes with its users, however they end.
    func removeName() throws { try FileManager.default.removeItem(at: file) }

    /// What makes a server of nginx write it.
    func configuration(format name: String) -> String { "access_log \(file.path) \(name) buffer=64k flush=50ms;" }

    /// How many handshakes there were so far, and how many of them resumed a session.
    private func counts() -> (all: Int, resumed: Int) {
        usleep(150_000)
        try? reader.seek(toOffset: 0)
        let text = (try? reader.readToEnd()) ?? Data()
        let resumed = text.count { $0 == UInt8(ascii: "r") }
        return (resumed + text.count { $0 == UInt8(ascii: ".") }, resumed)
    }

    /// The part of the handshakes within a piece of work that resumed a session; nil if there were none.
    func resumed<Result>(within work: () throws -> Result) rethrows -> (Result, resumed: Double?) {
        let before = counts()
        let result = try work()
        let after = counts()
        let all = after.all - before.all
        return (result, all > 0 ? Double(after.resumed - before.resumed) / Double(all) : nil)
    }
}
