import Foundation
import Glibc
import Sockeye
import SockeyeCore
import SockeyeNet
import SockeyeTestSupport
import SockeyeTesting

/// Opens every kind of descriptor that the library opens, and starts a child process that lists those it inherited.
enum Inheritance {
    static func run() async throws {
        let before = Set(descriptors())
        let file = FileManager.default.temporaryDirectory.appending(path: "sockeye-\(UUID().uuidString)")
        // More than the connection accepts while its peer does not read.
        try Data(count: 32 << 20).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        var configuration = try Credentials.configuration()
        configuration.pollerThreads = 1
        configuration.tls.keyLogFile = file.path() + ".keys"
        let client = HTTPClient(configuration: configuration)
        let secure = try FaultServer(tls: try Credentials.server(), script: wellBehavedScript)
        try demand(try await client.get(secure.url()).text() == "ok", "an answer over TLS")
        let unix = try await TestServer.start(on: .temporaryUnixSocket) { _ in .ok("ok") }
        var options = OutgoingRequest.Options()
        options.unixSocketPath = String(unix.address.description.dropFirst("unix:".count))
        try demand(try await client.get("http://x/", options: options).text() == "ok", "an answer over a unix socket")
        // A file that is being sent over a connection that accepts no more of it.
        let reached = TestSignal()
        let stuck = try FaultServer { peer in
            _ = try await peer.connection.read(through: "\r\n\r\n")
            reached.fire()
            try await TestSignal().wait()
        }
        let body = try OutgoingRequest.Body.file(file.path())
        let upload = Task { _ = try await client.post(stuck.url(), .body(body)) }
        try await reached.wait()
        let opened = Set(descriptors()).subtracting(before)
        try demand(opened.count >= 8, "sockets, a poller and a file: \(opened)")
        let inherited = try child(without: before)
        try demand(inherited.isEmpty, "no inherited descriptors, not \(inherited)")
        upload.cancel()
        _ = try? await upload.value
        try? FileManager.default.removeItem(atPath: file.path() + ".keys")
    }

    private static func descriptors() -> [Int32] {
        (0..<4096).filter { fcntl($0, F_GETFD) >= 0 }
    }

    /// Returns the descriptors that a new process inherits, except those in `before`, which do not belong to the
    /// library.
    private static func child(without before: Set<Int32>) throws -> [String] {
        let output = FileManager.default.temporaryDirectory.appending(path: "sockeye-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: output) }
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, 1, output.path(), O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        // The list is made without opening a file, which would appear in it.
        let list = "n=0; while [ $n -lt 4096 ]; do [ -e /proc/$$/fd/$n ] && echo $n; n=$((n+1)); done; true"
        let words = ["/bin/sh", "-c", list]
        var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { for index in unsafe arguments.indices { unsafe free(arguments[index]) } }
        var process = pid_t()
        let code = unsafe posix_spawn(&process, "/bin/sh", &actions, nil, &arguments, environ)
        try demand(code == 0, "a started child, not error \(code)")
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
        try demand(status == 0, "a child that exits with 0, not \(status)")
        let lines = try String(contentsOf: output, encoding: .utf8).split(separator: "\n").map(String.init)
        try demand(!lines.isEmpty, "a list of descriptors from the child")
        return lines.filter { line in
            guard let number = Int32(line) else { return true }
            return number > 2 && !before.contains(number)
        }
    }
}
