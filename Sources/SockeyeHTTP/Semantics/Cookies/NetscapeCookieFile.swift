/// The cookie file format of Netscape's browser, which curl, wget and Python also use: one cookie per line, its parts
/// separated by HTAB.
///
/// ```
/// # Netscape HTTP Cookie File
/// #HttpOnly_.example.com  TRUE  /  TRUE  1893456000  session  value
/// ```
///
/// The parts are: domain, subdomain flag, path, flag for Secure, expiration, name and value. The subdomain flag is TRUE
/// if subdomains of the domain also get the cookie. The expiration is in seconds since 1970; 0 stands for a session
/// cookie. The prefix `#HttpOnly_` stands for HttpOnly. The format has no SameSite.
package enum NetscapeCookieFile {
    private static let httpOnlyMark = "#HttpOnly_"

    package static func text(of cookies: [ClientCookie]) -> String {
        var text = "# Netscape HTTP Cookie File\n\n"
        for cookie in cookies {
            if cookie.isHTTPOnly { text += httpOnlyMark }
            text += cookie.isHostOnly ? cookie.domain : "." + cookie.domain
            text += "\t\(flag(!cookie.isHostOnly))\t\(cookie.path)\t\(flag(cookie.isSecure))\t"
            text += "\(cookie.expiration ?? 0)\t\(cookie.name)\t\(cookie.value)\n"
        }
        return text
    }

    /// Parses a file and skips invalid lines.
    ///
    /// - Returns: The cookies in the order of their lines, and the number of invalid lines. Comments are not counted.
    package static func parse(_ bytes: some Collection<UInt8>) -> (cookies: [ClientCookie], unreadable: Int) {
        var cookies: [ClientCookie] = []
        var unreadable = 0
        for line in Array(bytes).split(separator: UInt8(ascii: "\n")) {
            // Some editors put a byte order mark at the start of a file.
            var line = line.starts(with: "\u{FEFF}".utf8) ? line.dropFirst(3) : line
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            let isHTTPOnly = line.starts(with: httpOnlyMark.utf8)
            if isHTTPOnly { line = line.dropFirst(httpOnlyMark.utf8.count) }
            if line.isEmpty || (!isHTTPOnly && line.first == UInt8(ascii: "#")) { continue }
            if let cookie = cookie(line, isHTTPOnly: isHTTPOnly) {
                cookies.append(cookie)
            } else {
                unreadable += 1
            }
        }
        return (cookies, unreadable)
    }

    private static func cookie(_ line: ArraySlice<UInt8>, isHTTPOnly: Bool) -> ClientCookie? {
        guard let text = String(validating: line, as: UTF8.self) else { return nil }
        var parts = text.split(separator: "\t", omittingEmptySubsequences: false)
        // Programs that strip blanks at the ends of lines also strip the HTAB before an empty value.
        if parts.count == 6 { parts.append("") }
        // Columns are sometimes aligned by hand with blanks. In the last two parts, name and value, blanks are part of
        // the text.
        for index in 0..<min(5, parts.count) { parts[index] = Self.trimmed(parts[index]) }
        guard parts.count == 7, let isForSubdomains = flag(parts[1]), let isSecure = flag(parts[3]),
            let seconds = seconds(parts[4])
        else { return nil }
        return try? ClientCookie(
            name: String(parts[5]), value: String(parts[6]), domain: String(parts[0]), isHostOnly: !isForSubdomains,
            path: String(parts[2]), isSecure: isSecure, isHTTPOnly: isHTTPOnly,
            expiration: seconds == 0 ? nil : seconds)
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return text
    }

    private static func flag(_ value: Bool) -> String { value ? "TRUE" : "FALSE" }

    private static func flag(_ text: Substring) -> Bool? {
        switch text.uppercased() {
        case "TRUE": true
        case "FALSE": false
        default: nil
        }
    }

    /// Parses seconds and drops a fraction, which some programs write.
    private static func seconds(_ text: Substring) -> Int64? {
        let whole = text.prefix { $0 != "." }
        return Int64(whole)
    }
}
