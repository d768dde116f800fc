import Foundation
import Sockeye
import SockeyeCore
import SockeyeHTTP

/// The arguments of curl about cookies, as a jar and a Cookie field of the caller.
struct CurlCookies {
    /// True if there is a jar.
    private(set) var isOn = false
    /// The Cookie field that the caller writes.
    private(set) var field: String?
    private var files: [String] = []
    private var leavesOutSession = false

    /// The options about cookies.
    static let options: Set<String> = ["-b", "--cookie", "-c", "--cookie-jar", "-j", "--junk-session-cookies"]

    mutating func apply(_ option: String, argument: () throws -> String, file: (String) -> Bytes?) throws {
        switch option {
        case "-j", "--junk-session-cookies": leavesOutSession = true
        case "-c", "--cookie-jar":
            // The file written at the end is not part of the recordings.
            _ = try argument()
            isOn = true
        default:
            let text = try argument()
            if text.contains("=") {
                field = [field, text].compactMap(\.self).joined(separator: "; ")
            } else {
                isOn = true
                if let bytes = file(text) { files.append(String(decoding: bytes, as: UTF8.self)) }
            }
        }
    }

    /// - Parameter url: The first URL; a file of response fields is read as if this URL had answered with it.
    func jar(_ variables: CurlCommand.Variables, for url: String) throws -> CookiePolicy.Jar? {
        guard isOn else { return nil }
        let jar = CookiePolicy.Jar()
        for file in files.map(variables.fill) {
            for line in file.split(whereSeparator: \.isNewline) {
                guard let value = Self.value(of: "set-cookie", in: line) else { continue }
                // A file, like a response, may contain refused cookies.
                _ = try? jar.set(value, from: HTTPURL(url))
            }
            for cookie in NetscapeCookieFile.parse(file.utf8).cookies { jar.set(cookie) }
        }
        if leavesOutSession { jar.removeAll { $0.expiration == nil } }
        return jar
    }

    private static func value(of name: String, in line: Substring) -> String? {
        guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == name else { return nil }
        return String(line[line.index(after: colon)...].drop { $0 == " " })
    }
}
