import SockeyeCore
package import SockeyeEngine
import SockeyeEssentials
package import SockeyeHTTP
import SockeyeSerialization

extension CookiePolicy.Jar {
    /// The format of a cookie file.
    @nonexhaustive public enum FileFormat: Sendable, Hashable {
        /// `cookies.txt` of the Netscape browser, as used by curl, wget, Python and many others. It has no SameSite.
        case netscape
        /// A JSON array of objects with the names that browser extensions use; see ``ClientCookie/init(from:)``.
        case json
    }
}

extension CookiePolicy.Jar {
    /// The numbers of loaded and skipped cookies of a file.
    public struct FileSummary: Sendable, Hashable {
        /// The number of cookies that the jar stored, including those that replaced a stored cookie. Cookies that the
        /// jar's limits evict at once are not counted.
        public let loaded: Int
        /// The number of expired cookies. Such a cookie is not stored, and deletes the stored cookie that it would
        /// replace.
        public let expired: Int
        /// The number of lines or objects that are not valid cookies; see ``ClientCookie/Fault``.
        public let unreadable: Int

        package init(loaded: Int, expired: Int, unreadable: Int) {
            self.loaded = loaded
            self.expired = expired
            self.unreadable = unreadable
        }
    }
}

/// Reads and writes cookie files.
package enum CookieFile {
    /// The maximum size of a file that is read: 64 MiB.
    private static let maximumLength = 64 << 20

    /// An element of the JSON array. Its cookie is nil if the element is not a valid cookie.
    private struct Entry: Decodable {
        let cookie: ClientCookie?

        init(from decoder: any Decoder) throws {
            cookie = try? ClientCookie(from: decoder)
        }
    }

    /// Writes the file atomically, readable only by its owner.
    static func write(_ cookies: [ClientCookie], as format: CookiePolicy.Jar.FileFormat, to path: String)
        throws(SockeyeError)
    {
        let contents = Bytes(try contents(cookies, as: format))
        do throws(FileError) {
            try TemporaryFile.replace(path, by: contents)
        } catch {
            throw .cookieFile(error.description, error)
        }
    }

    private static func contents(_ cookies: [ClientCookie], as format: CookiePolicy.Jar.FileFormat) throws(SockeyeError)
        -> [UInt8]
    {
        switch format {
        case .netscape: return Array(NetscapeCookieFile.text(of: cookies).utf8)
        case .json:
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            do {
                return Array(try encoder.encode(cookies)) + [UInt8(ascii: "\n")]
            } catch {
                throw .cookieFile("the cookies cannot be written as JSON", error)
            }
        }
    }

    /// Parses the contents of a cookie file.
    ///
    /// - Parameters:
    ///   - format: The format; nil to detect it from the contents.
    ///   - path: The path of the file, for errors.
    /// - Returns: The valid cookies, and the number of invalid ones.
    package static func cookies(
        _ bytes: [UInt8], as format: CookiePolicy.Jar.FileFormat?, path: String
    ) throws(SockeyeError) -> (cookies: [ClientCookie], unreadable: Int) {
        guard (format ?? Self.format(of: bytes)) == .json else { return NetscapeCookieFile.parse(bytes) }
        do {
            let entries = try JSONDecoder().decode([Entry].self, checking: Data(bytes))
            let cookies = entries.compactMap(\.cookie)
            return (cookies, entries.count - cookies.count)
        } catch {
            throw .cookieFile("\(path) is not a JSON array of cookies", error)
        }
    }

    /// Returns `.json` if the first character after a byte order mark, blanks and line ends is `[`, otherwise
    /// `.netscape`. A line of Netscape's format begins with `#` or a domain, and a domain contains no bracket.
    private static func format(of bytes: [UInt8]) -> CookiePolicy.Jar.FileFormat {
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        return text.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "[") ? .json : .netscape
    }

    static func read(_ path: String) throws(SockeyeError) -> [UInt8] {
        do throws(SockeyeError) {
            var reader = try FileReader(path: path)
            var contents: [UInt8] = []
            while let piece = try reader.next() {
                contents += piece
                if contents.count > maximumLength { throw .cookieFileTooLong(path, limit: maximumLength) }
            }
            return contents
        } catch {
            throw error.code == .limitExceeded ? error : .cookieFile(error.message, error.underlying)
        }
    }
}

extension SockeyeError {
    static func cookieFile(_ message: String, _ underlying: (any Error)?) -> SockeyeError {
        var fields = Fields(.cookieFileFailed, phase: .prepare, blame: .caller, message: message)
        fields.underlying = underlying
        return SockeyeError(fields)
    }

    fileprivate static func cookieFileTooLong(_ path: String, limit: Int) -> SockeyeError {
        var fields = Fields(
            .limitExceeded, phase: .prepare, blame: .policy,
            message: "the cookie file \(path) is larger than \(limit) bytes")
        fields.limit = .init("cookie file", configured: "\(limit) bytes")
        return SockeyeError(fields)
    }
}
