import SockeyeEngine
import SockeyeEssentials
import SockeyeHTTP
import SockeyePlatform

/// Finds and reads a `.netrc` file.
enum NetrcFile {
    /// Returns the logins of a file. If `path` is nil, the default file is read; it counts as empty if it is missing.
    static func read(_ path: String?) throws(SockeyeError) -> Netrc {
        guard let place = path ?? usualPlace else { return try parse("") }
        do throws(SockeyeError) {
            let bytes = try PermissionCheckedFile(path: place).read(atMost: NetrcParser.maximumSize)
            return try parse(String(decoding: bytes, as: UTF8.self))
        } catch {
            if path == nil, SystemFile.status(of: place) == nil { return try parse("") }
            throw error
        }
    }

    /// The path of the default file; nil if the environment has neither `NETRC` nor `HOME`.
    private static var usualPlace: String? {
        if let named = SystemProcess.environment("NETRC"), !named.isEmpty { return named }
        return SystemProcess.environment("HOME").map { $0 + "/.netrc" }
    }

    private static func parse(_ text: String) throws(SockeyeError) -> Netrc {
        do throws(NetrcParser.Fault) {
            return try NetrcParser.parse(text)
        } catch {
            var fields = SockeyeError.Fields(
                .badConfiguration, phase: .prepare, blame: .caller, message: "the netrc file is not valid: \(error)")
            fields.underlying = error
            throw SockeyeError(fields)
        }
    }
}
