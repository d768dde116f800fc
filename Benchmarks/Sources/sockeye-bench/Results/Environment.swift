import BenchmarkReport
import Foundation

/// Facts about the machine and the versions of a run.
enum Environment {
    /// Returns the facts, in the order of the report.
    static func current(command: String, network: Network, missing: [String]) -> [RunResults.Fact] {
        let facts = [
            ("Date", Date().formatted(.iso8601.year().month().day())),
            ("Processor", "\(processor), \(ProcessInfo.processInfo.activeProcessorCount) cores"),
            ("System", "\(distribution), Linux \(firstLine(of: "uname", ["-r"]))"),
            ("Network", network.fact),
            ("Load before the run", "\(load) (1 min)"),
            ("Swift", swift),
            ("nginx", firstLine(of: "sh", ["-c", "PATH=$PATH:/usr/sbin nginx -v 2>&1"])),
            ("OpenSSL", firstLine(of: "openssl", ["version"])),
            ("libcurl", firstLine(of: "pkg-config", ["--modversion", "libcurl"])),
            ("wrk", firstLine(of: "sh", ["-c", "wrk -v 2>&1"])),
            ("async-http-client", asyncHTTPClient),
        ]
        let omitted = missing.isEmpty ? [] : [("Omitted because not built", missing.joined(separator: ", "))]
        return (facts + peers + omitted + [("Command", "`\(command)`")]).map(RunResults.Fact.init)
    }

    private static var processor: String {
        value(after: "model name", in: "/proc/cpuinfo", separator: ":") ?? "unknown processor"
    }

    private static var distribution: String {
        value(after: "PRETTY_NAME", in: "/etc/os-release", separator: "=") ?? "Linux"
    }

    /// The load average of the machine.
    private static var load: String {
        let text = (try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8)) ?? ""
        return text.split(separator: " ").first.map(String.init) ?? "unknown"
    }

    private static var swift: String {
        let line = firstLine(of: "sh", ["-c", "swift --version 2>/dev/null"])
        return line.split(separator: " (").first.map(String.init) ?? line
    }

    /// The versions of the clients that `Scripts/build-peers.sh` built; its file has lines like `hyper: 0.14.19, …`.
    private static var peers: [(String, String)] {
        let file = RepositoryLayout.peers.appending(path: "versions")
        let lines = (try? String(contentsOf: file, encoding: .utf8))?.split(separator: "\n") ?? []
        return lines.compactMap { line in
            guard let colon = line.firstRange(of: ": ") else { return nil }
            return (String(line[..<colon.lowerBound]), String(line[colon.upperBound...]))
        }
    }

    /// The resolved version of async-http-client.
    private static var asyncHTTPClient: String {
        struct Resolved: Decodable {
            struct Pin: Decodable {
                struct State: Decodable { let version: String? }
                let identity: String
                let state: State
            }
            let pins: [Pin]
        }
        let file = RepositoryLayout.benchmarks.appending(path: "Package.resolved")
        let resolved = try? JSONDecoder().decode(Resolved.self, from: Data(contentsOf: file))
        return resolved?.pins.first { $0.identity == "async-http-client" }?.state.version ?? "unknown"
    }

    private static func value(after name: String, in path: String, separator: Character) -> String? {
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").first { $0.hasPrefix(name) }?
            .split(separator: separator, maxSplits: 1).last?.trimmingCharacters(in: CharacterSet(charactersIn: " \""))
    }

    private static func firstLine(of program: String, _ arguments: [String]) -> String {
        (try? ChildProcess(program, arguments))?.readAll(within: 10)?.split(separator: "\n").first.map(String.init)
            ?? "–"
    }
}
