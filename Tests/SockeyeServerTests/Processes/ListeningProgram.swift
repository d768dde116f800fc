import Foundation

/// A program that listens on free ports without reporting when it is ready, so the script polls by connecting.
final class ListeningProgram: Sendable {
    /// The first of two adjacent ports.
    let port: Int
    let folder: String
    private let guardian: Guardian

    /// Starts the program and waits until it listens.
    ///
    /// - Parameters:
    ///   - name: The name in error messages.
    ///   - program: The executable.
    ///   - command: Shell lines that start the program in the background, with `$program`, `$port`, `$folder` and
    ///     `$beside`. They may first start another program at `$port + 1`, and set `behind` to its process id.
    ///   - beside: Another folder for the command.
    ///   - prepare: Fills the program's folder.
    init(
        _ name: String, _ program: String?, command: String, beside: String = "",
        prepare: (_ folder: String) throws -> Void = { _ in }
    ) throws {
        folder = try Scratch.makeFolder()
        // Servers that drop root privileges must be able to read the folder.
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
        try prepare(folder)
        port = try Self.twoPorts()
        guardian = try Guardian(
            script: Self.script(command), folder: folder, arguments: [program ?? "", String(port), beside])
        guard guardian.greeting == "ready" else { throw ServerFailure("\(name) does not listen") }
    }

    /// Returns a port for the server; the next port is free for a program behind it.
    private static func twoPorts() throws -> Int {
        for _ in 0..<100 {
            let port = try FreePorts.take(1)[0]
            if FreePorts.isFree(port + 1) { return port }
        }
        throw ServerFailure("no free ports")
    }

    private static func script(_ command: String) -> String {
        """
        program=$2 port=$3 beside=$4 behind=
        \(command)
        server=$!
        listens() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }
        tries=0
        until listens "$port" && { [ -z "$behind" ] || listens $((port + 1)); } || [ $tries -ge 200 ]; do
            sleep 0.05
            tries=$((tries + 1))
        done
        if [ $tries -lt 200 ]; then echo ready; else echo failed; fi
        find() { if [ -n "$behind" ]; then kill "$behind"; fi; }
        """
    }

    func stop() { guardian.stop() }
}
