import Foundation

/// A program that listens on ports that were free, and does not say when it does: whoever starts it tries to connect.
final class ListeningProgram: Sendable {
    /// The first of two ports that are next to each other.
    let port: Int
    let folder: String
    private let guardian: Guardian

    /// - Parameters:
    ///   - name: For the failure.
    ///   - program: The executable.
    ///   - command: Lines of shell that start it in the background, with `$program`, `$port`, `$folder` and `$beside`; they may
    ///     start another one at `$port + 1` before, and set `behind` to its process id.
    ///   - beside: Another folder for the command.
    ///   - prepare: Fills its own folder.
    init(
        _ name: String, _ program: String?, command: String, beside: String = "",
        prepare: (_ folder: String) throws -> Void = { _ in }
    ) throws {
        folder = try Scratch.makeFolder()
        // Servers that give root up must be able to read it.
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
        try prepare(folder)
        port = try Self.twoPorts()
        guardian = try Guardian(
            script: Self.script(command), folder: folder, arguments: [program ?? "", String(port), beside])
        guard guardian.greeting == "ready" else { throw ServerFailure("\(name) does not listen") }
    }

    /// One for the server and, next to it, one for what may stand behind it.
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
