#if AsyncDNS
import SockeyePlatform

/// The options `timeout` and `attempts` of resolv.conf(5). c-ares 1.18 does not read them, because it has other names
/// for them.
struct ResolverOptions: Equatable {
    /// The time-out in seconds. Defaults and limits are those of resolv.conf(5).
    var timeout = 5
    var attempts = 2

    private static let longestTimeout = 30
    private static let mostAttempts = 5

    /// Reads a file, which may be missing, and `RES_OPTIONS`.
    init(ofFile path: String) {
        let bytes = (try? SystemFile.contents(of: path, limit: 1 << 20)) ?? nil
        self.init(
            file: String(decoding: bytes ?? [], as: UTF8.self), variable: SystemProcess.environment("RES_OPTIONS"))
    }

    /// Reads the `options` lines of a file, and then the variable `RES_OPTIONS`, which overrides them.
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
#endif
