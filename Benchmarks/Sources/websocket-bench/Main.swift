import Foundation

/// Messages echoed per second: Sockeye, NIO's WebSocket client and Python's `websockets` against one server.
///
///     swift run -c release --package-path Benchmarks websocket-bench [--seconds 3] [--python path/of/python3]
///
/// prints a table. Each client is a separate process. On each connection it sends a message, waits for its echo, and
/// sends the next one. The server uses NIO and runs in another process. The processes run the commands `serve` and
/// `load`.
@main
struct Main {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch arguments.first {
        case "serve": try await NIOEcho.serve()
        case "load":
            let load = try Load(arguments.dropFirst(2))
            let count = arguments[1] == "nio" ? try await NIOLoad.run(load) : try await SockeyeLoad.run(load)
            print(count)
        default: try Comparison(arguments).run()
        }
    }
}

/// The parameters of a client's load.
struct Load: Sendable {
    let port: Int
    let size: Int
    let connections: Int
    let seconds: Double

    init(_ arguments: ArraySlice<String>) throws {
        let values = arguments.compactMap(Double.init)
        guard values.count == 4 else { throw BadUse() }
        (port, size, connections, seconds) = (Int(values[0]), Int(values[1]), Int(values[2]), values[3])
    }
}

struct BadUse: Error {}

/// Runs the processes one after the other, and prints their results.
struct Comparison {
    private var seconds = "3"
    private var python: String?
    private let program = CommandLine.arguments[0]

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let name = rest.popFirst() {
            switch name {
            case "--seconds": seconds = rest.popFirst() ?? seconds
            case "--python": python = rest.popFirst()
            default: throw BadUse()
            }
        }
    }

    func run() throws {
        let (server, output) = try start([program, "serve"])
        defer { server.terminate() }
        let port = line(output)
        print("| message | connections | Sockeye | NIO | websockets | Sockeye / NIO |\n|---|---|---|---|---|---|")
        for size in [16, 1 << 10, 1 << 20] {
            for connections in [1, 64] {
                let load = [port, String(size), String(connections), seconds]
                let rates = try [
                    rate([program, "load", "sockeye"] + load), rate([program, "load", "nio"] + load),
                    python.map { try rate([$0, script] + load) } ?? .nan,
                ]
                let texts = rates.map { $0.isNaN ? "–" : "\(Int($0.rounded()))/s" }
                let ratio = String(format: "%.2f", rates[0] / rates[1])
                print("| \(size) B | \(connections) | \(texts.joined(separator: " | ")) | \(ratio) |")
            }
        }
    }

    private var script: String {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Scripts/websocket_load.py").path
    }

    private func rate(_ command: [String]) throws -> Double {
        let (process, output) = try start(command)
        let count = line(output)
        process.waitUntilExit()
        return (Double(count) ?? .nan) / (Double(seconds) ?? 1)
    }

    private func start(_ command: [String]) throws -> (Process, FileHandle) {
        let process = Process()
        process.executableURL = URL(filePath: command[0])
        process.arguments = Array(command.dropFirst())
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        return (process, pipe.fileHandleForReading)
    }

    private func line(_ output: FileHandle) -> String {
        var line = Data()
        while let byte = try? output.read(upToCount: 1), byte != Data([10]), !byte.isEmpty { line += byte }
        return String(decoding: line, as: UTF8.self)
    }
}
