import Foundation

/// A log of nginx with a character for each TLS handshake: an `r` for a resumed session, a dot for a full handshake.
///
/// A character for each handshake costs nginx nothing, but waiting for a busy disk would, so the file is in memory if
/// possible.
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

    /// Removes the name of the file after nginx has opened it, so that it disappears with its users, however they end.
    func removeName() throws { try FileManager.default.removeItem(at: file) }

    /// Returns the configuration that makes a server of nginx write the log.
    func configuration(format name: String) -> String { "access_log \(file.path) \(name) buffer=64k flush=50ms;" }

    /// Returns the number of handshakes so far, and the number of those that resumed a session.
    private func counts() -> (all: Int, resumed: Int) {
        usleep(150_000)
        try? reader.seek(toOffset: 0)
        let text = (try? reader.readToEnd()) ?? Data()
        let resumed = text.count { $0 == UInt8(ascii: "r") }
        return (resumed + text.count { $0 == UInt8(ascii: ".") }, resumed)
    }

    /// Runs `work` and returns the fraction of its handshakes that resumed a session; nil without handshakes.
    func resumed<Result>(within work: () throws -> Result) rethrows -> (Result, resumed: Double?) {
        let before = counts()
        let result = try work()
        let after = counts()
        let all = after.all - before.all
        return (result, all > 0 ? Double(after.resumed - before.resumed) / Double(all) : nil)
    }
}
