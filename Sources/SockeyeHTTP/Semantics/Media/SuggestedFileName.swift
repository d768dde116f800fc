/// Sanitizing of the file names that servers propose (RFC 6266 4.3).
package enum SuggestedFileName {
    /// The maximum length of a name in bytes of UTF-8: the limit of Linux file systems.
    public static let maximumLength = 255

    /// Returns a name that is safe to create in a folder.
    ///
    /// The name is the last component of the proposed name. If that is missing or empty after sanitizing, the last
    /// component of the URL's path is used, and if that is empty, too, `download`. The result has no path separators,
    /// control characters or directional marks, no dots or blanks at its start and end, and no dash at its start. It is
    /// not a device name of Windows such as `con` or `lpt1`, and has at most ``maximumLength`` bytes including its
    /// extension.
    ///
    /// An underscore is appended to a name with the extension `.sockeye-resume`, `.resume` or `.part`. Files with these
    /// extensions hold the state of a download. Without the underscore, a program that resumes downloads could read
    /// state that a server wrote.
    ///
    /// - Parameters:
    ///   - disposition: The response's Content-Disposition; nil if the response has no such field.
    ///   - url: The URL of the response; nil if unknown.
    public static func make(_ disposition: ContentDisposition?, url: HTTPURL?) -> String {
        if let name = disposition?.fileName.flatMap(sanitized) { return name }
        if let segment = url?.pathView.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).last {
            let decoded = String(decoding: PercentEncoding.decode(segment), as: UTF8.self)
            if let name = sanitized(decoded) { return name }
        }
        return "download"
    }

    /// Returns the safe part of a name; nil if nothing is left.
    ///
    /// Examines Unicode scalars and not characters: for a file system, a dot before a combining mark is still a dot.
    static func sanitized(_ proposal: String) -> String? {
        let isSeparator: (Unicode.Scalar) -> Bool = { $0 == "/" || $0 == "\\" }
        let scalars = proposal.unicodeScalars
        let start = scalars.lastIndex(where: isSeparator).map { scalars.index(after: $0) } ?? scalars.startIndex
        var visible = String.UnicodeScalarView()
        visible.append(contentsOf: scalars[start...].lazy.filter { !isHidden($0) })
        var name = Substring(trimmed(visible[...]))
        var (prefix, suffix) = ("", "")
        // A cut may leave a name that needs an underscore, so the checks follow each cut.
        while true {
            let room = maximumLength - prefix.utf8.count - suffix.utf8.count
            name = Substring(trimmed(shortened(name, to: room).unicodeScalars))
            // Programs take a leading dash for the start of an option, as in `rm *`.
            if prefix.isEmpty, isReserved(name) || name.unicodeScalars.first == "-" {
                prefix = "_"
            } else if suffix.isEmpty, isState(name) {
                suffix = "_"
            } else {
                return name.isEmpty ? nil : "\(prefix)\(name)\(suffix)"
            }
        }
    }

    /// Returns true if files with the extension of this name hold the state of a download.
    private static func isState(_ name: Substring) -> Bool {
        let lowercase = name.lowercased().utf8
        return [".sockeye-resume", ".resume", ".part"].contains { ending in
            lowercase.suffix(ending.utf8.count).elementsEqual(ending.utf8)
        }
    }

    /// Returns true for controls, and for invisible characters that can make a name look like a different name.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
        default: false
        }
    }

    /// Removes dots and blanks at both ends. A leading dot hides a file or leads out of the folder. Windows drops
    /// trailing dots and blanks.
    private static func trimmed(_ name: Substring.UnicodeScalarView) -> Substring.UnicodeScalarView {
        let isLoose: (Unicode.Scalar) -> Bool = { $0 == "." || $0.properties.isWhitespace }
        let start = name.drop(while: isLoose)
        guard let last = start.lastIndex(where: { !isLoose($0) }) else { return Substring("").unicodeScalars }
        return start[...last]
    }

    private static let devices: Set = [
        "con", "prn", "aux", "nul", "com0", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9",
        "lpt0", "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
    ]

    /// Returns true if Windows treats the name as a device, whatever its extension.
    private static func isReserved(_ name: Substring) -> Bool {
        let stem = Substring(trimmed(name.unicodeScalars.prefix { $0 != "." }))
        // The length is checked first, because hashing a long name with many combining marks could take seconds.
        return (3...4).contains(stem.utf8.count) && devices.contains(stem.lowercased())
    }

    /// Returns a name of at most `limit` bytes, cut between characters. An extension of at most 32 bytes is kept if it
    /// is shorter than the limit. If even the first character is too long, it is cut between Unicode scalars.
    package static func shortened(_ name: Substring, to limit: Int) -> Substring {
        guard name.utf8.count > limit else { return name }
        let dot = name.unicodeScalars.lastIndex(of: ".") ?? name.endIndex
        let suffix = name[dot...]
        guard suffix.utf8.count <= 32, suffix.utf8.count < limit else { return cut(name, to: limit) }
        return cut(name[..<dot], to: limit - suffix.utf8.count) + suffix
    }

    private static func cut(_ text: Substring, to limit: Int) -> Substring {
        var count = 0
        let end = text.indices.first { index in
            count += text[index].utf8.count
            return count > limit
        }
        guard end == text.startIndex else { return text[..<(end ?? text.endIndex)] }
        var length = 0
        return Substring(
            text.unicodeScalars.prefix { scalar in
                length += UTF8.width(scalar)
                return length <= limit
            })
    }
}
