#if Service
import Configuration
import SockeyeEngine
import SockeyePlatform

/// A reader of settings that distinguishes a missing value from an invalid one.
///
/// A getter of `ConfigReader` returns nil in both cases: if the value is missing, and if it is of another type. So this
/// reader calls the getters of all types in turn, until one returns a value. If none does, the value is missing. Text
/// comes first, because most providers' values are text. Arrays and bytes come last; they are invalid here.
struct SettingsReader {
    private let config: ConfigReader

    init(_ config: ConfigReader) { self.config = config }

    /// A time limit.
    struct Limit {
        /// The duration; nil for no limit.
        let duration: Duration?
    }

    /// Returns the value as text, also if the provider has a number or a Boolean; nil if the value is missing.
    ///
    /// - Throws: `badConfiguration` if the value is of another type, such as an array.
    func text(_ key: String, isSecret: Bool = false) throws(SockeyeError) -> String? {
        let name = ConfigKey(key)
        if let text = config.string(forKey: name, isSecret: isSecret) { return text }
        if let number = config.int(forKey: name, isSecret: isSecret) { return String(number) }
        if let number = config.double(forKey: name, isSecret: isSecret) { return String(number) }
        if let flag = config.bool(forKey: name, isSecret: isSecret) { return String(flag) }
        guard isMissing(name, isSecret: isSecret) else { throw fault(key, "text, a number, true or false") }
        return nil
    }

    /// Returns true unless the key has a value that is an array or bytes.
    private func isMissing(_ name: ConfigKey, isSecret: Bool) -> Bool {
        config.stringArray(forKey: name, isSecret: isSecret) == nil
            && config.intArray(forKey: name, isSecret: isSecret) == nil
            && config.doubleArray(forKey: name, isSecret: isSecret) == nil
            && config.boolArray(forKey: name, isSecret: isSecret) == nil
            && config.bytes(forKey: name, isSecret: isSecret) == nil
            && config.byteChunkArray(forKey: name, isSecret: isSecret) == nil
    }

    /// Returns an integer of at least 1; nil if the value is missing.
    func count(_ key: String) throws(SockeyeError) -> Int? {
        guard let text = try text(key) else { return nil }
        guard let count = Int(text), count > 0 else { throw fault(key, "an integer of at least 1", text) }
        return count
    }

    /// Returns a Boolean; nil if the value is missing.
    func flag(_ key: String) throws(SockeyeError) -> Bool? {
        switch try text(key)?.lowercased() {
        case nil: return nil
        case "true", "yes", "1": return true
        case "false", "no", "0": return false
        case let other?: throw fault(key, "true or false", other)
        }
    }

    /// Returns a time limit; its duration is nil for the text `none`. Returns nil if the value is missing.
    func limit(_ key: String) throws(SockeyeError) -> Limit? {
        guard let text = try text(key) else { return nil }
        if text == "none" { return Limit(duration: nil) }
        return Limit(duration: try duration(text, of: key, "a duration such as 250ms or 5s, or none"))
    }

    /// Returns a duration; nil if the value is missing.
    func duration(_ key: String) throws(SockeyeError) -> Duration? {
        guard let text = try text(key) else { return nil }
        return try duration(text, of: key, "a duration such as 250ms or 5s")
    }

    private func duration(_ text: String, of key: String, _ expected: String) throws(SockeyeError) -> Duration {
        guard let duration = Self.duration(text) else { throw fault(key, expected, text) }
        return duration
    }

    /// Returns the path of a readable regular file; nil if the value is missing.
    func file(_ key: String) throws(SockeyeError) -> String? {
        guard let path = try text(key) else { return nil }
        guard SystemFile.isReadable(path), SystemFile.status(of: path)?.isRegular == true else {
            throw fault(key, "a file that can be read", path)
        }
        return path
    }

    /// Makes the error of an invalid value.
    ///
    /// - Parameters:
    ///   - wanted: A description of valid values.
    ///   - value: The value found, for the message; nil to omit it, for example because it is secret.
    func fault(_ key: String, _ wanted: String, _ value: String? = nil) -> SockeyeError {
        let found = value.map { ", but is \"\($0.prefix(80))\"" } ?? ""
        return SockeyeError(
            .init(
                .badConfiguration, phase: .prepare, blame: .caller,
                message: "the configuration value \(key) must be \(wanted)\(found)"))
    }

    /// Parses a duration: a number with a unit, or a number of seconds. Returns nil if the text is not a duration, or
    /// if the duration is negative or exceeds 3.2e9 s (about a century).
    static func duration(_ text: String) -> Duration? {
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let units: [Substring: Double] = [
            "ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1, "": 1, "m": 60, "h": 3600,
        ]
        guard let number = Double(digits), let unit = units[text.dropFirst(digits.count)] else { return nil }
        let seconds = number * unit
        guard seconds >= 0, seconds < 3.2e9 else { return nil }
        return .nanoseconds(Int64((seconds * 1e9).rounded()))
    }
}
#endif
