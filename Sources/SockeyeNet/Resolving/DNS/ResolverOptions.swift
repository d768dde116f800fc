#if AsyncDNS
import SockeyePlatform

/// The options of resolv.conf(5) that c-ares 1.18 has other names for: how long a server is waited for, and how often it is asked.
struct ResolverOptions: Equatable {
    /// In seconds; what resolv.conf(5) says is the default, and its limits.
    var timeout = 5
    var attempts = 2

    private static let longestTimeout = 30
    private static let mostAttempts = 5

    /// Reads a file, of which there need be none, and `RES_OPTIONS`.
    init(ofFile path: String) {
        let bytes = (try? SystemFile.contents(of: path, limit: 1 << 20)) ?? nil
        self.init(
            file: String(decoding: bytes ?? [], as: UTF8.self), variable: SystemProcess.environment("RES_OPTIONS"))
    }

    /// Reads the lines `options` of a file, and over them the variable `RES_OPTIONS`.
    init(file: String, variable: String?) {
        for line in file.split(whereSeparator: \.isNewline) {
            let words = line.split(whereSeparator: \.isWhitespace)
            if words.first == "options" { take(words.dropFirst()) }
        }
        if let variable { take(variable.split(whereSeparator: \.isWhitespace)[...]) }
    }

    private mutating func take(_ words: ArraySlice<Substring>) {
        for word in words {
            let parts = word.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, let number = Int(parts[1]) else { continue }
            switch parts[0] {
            case "timeout": timeout = min(max(1, number), Self.longestTimeout)
            case "attempts": attempts = min(max(1, number), Self.mostAttempts)
            default: break
            }
        }
    }
}

/// Which state a file is in, as far as can be told without reading it.
struct FileVersion: Equatable {
    private let identity: FileIdentity?
    private let changed: [Int]

    init(of path: String) {
        let status = SystemFile.status(of: path)
        identity = status?.identity
        changed = status.map { [$0.changed.seconds, $0.changed.nanoseconds, Int($0.size)] } ?? []
    }
}
#endif
