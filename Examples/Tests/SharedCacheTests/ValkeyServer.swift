import Foundation
import NIOCore
import Testing

@testable import SharedCache

/// A Valkey or Redis server for a test, with a unix-domain socket in its own folder. It ends when this value is
/// released or the process ends, because the shell that started it then reaches the end of its input.
final class ValkeyServer {
    /// The path of an installed server; nil if none is installed.
    static let program: String? = ["valkey-server", "redis-server"].lazy.flatMap { name in
        ["/usr/bin/", "/usr/local/bin/", "/bin/"].map { $0 + name }
    }.first { FileManager.default.isExecutableFile(atPath: $0) }
    static let missing: Comment = "neither valkey-server nor redis-server is installed"

    struct Failure: Error {}

    let socket: String
    private let folder: URL
    private let shell = Process()
    private let input = Pipe()

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "valkey-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        socket = folder.path() + "/socket"
        // SIGKILL, because a service group in this process may trap SIGTERM, and children then inherit it as blocked.
        let script = """
            "$1" --port 0 --unixsocket "$2/socket" --dir "$2" --save '' --appendonly no --maxmemory 64mb \
                --maxmemory-policy allkeys-lru >"$2/log" 2>&1 &
            read -r _
            kill -KILL $! 2>/dev/null
            wait
            """
        shell.executableURL = URL(filePath: "/bin/bash")
        shell.arguments = ["-c", script, "bash", Self.program ?? "", folder.path()]
        shell.standardInput = input
        try shell.run()
    }

    /// Waits until the server answers. Its socket has a file some time before it accepts connections.
    func start() async throws {
        for _ in 0..<1000 {
            let connection = RESPConnection(try SocketAddress(unixDomainSocketPath: socket))
            let answer = try? await connection.send([ByteBuffer(string: "PING")])
            await connection.close()
            if answer != nil { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw Failure()
    }

    /// Removes all values, like an expiry or eviction of every key.
    func evictAll() async throws {
        let connection = RESPConnection(try SocketAddress(unixDomainSocketPath: socket))
        _ = try await connection.send([ByteBuffer(string: "FLUSHALL")])
        await connection.close()
    }

    func stop() {
        try? input.fileHandleForWriting.close()
        shell.waitUntilExit()
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(at: folder)
    }
}
