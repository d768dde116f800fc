/// The logins of a `.netrc` file (the format of ftp(1) and curl): names of machines, each with user and password.
package struct Netrc: Sendable {
    struct Entry: Sendable {
        /// The name of the machine; nil for the default entry.
        let machine: String?
        var login: String?
        var password: String?

        fileprivate func credential(for user: String?) -> Credential {
            .user(login ?? user ?? "", password: password ?? "")
        }
    }

    let entries: [Entry]

    package var isEmpty: Bool { entries.isEmpty }

    /// Returns the credential of the first entry that names the host, ignoring case; nil without such an entry. Entries
    /// with neither a login nor a password are skipped.
    ///
    /// A default entry with a password ends the search, as in curl and ftp(1): the result is nil even if a later entry
    /// names the host. Only ``defaultCredential(user:)`` returns the credential of a default entry.
    ///
    /// - Parameter user: The user of the entry; nil for any. An entry without a login matches every user.
    package func credential(for host: String, user: String? = nil) -> Credential? {
        let host = host.lowercased()
        let found = entry(of: user) { $0.machine.map { $0.lowercased() == host } ?? ($0.password != nil) }
        return found?.machine == nil ? nil : found?.credential(for: user)
    }

    /// Returns the credential of the default entry, which applies to each machine that no entry before it names.
    package func defaultCredential(user: String? = nil) -> Credential? {
        entry(of: user) { $0.machine == nil }?.credential(for: user)
    }

    private func entry(of user: String?, where matches: (Entry) -> Bool) -> Entry? {
        entries.first { entry in
            matches(entry) && (user == nil || entry.login == nil || entry.login == user)
                && (entry.login != nil || entry.password != nil)
        }
    }
}

extension Netrc: CustomStringConvertible, CustomReflectable {
    /// The number of logins. The logins themselves are secret and not shown.
    package var description: String { "\(entries.count) logins" }

    /// A mirror of the description only.
    package var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

/// The parser of `.netrc` files.
///
/// Words are separated by blanks and line ends. As in curl, a word in double quotes may contain blanks, line ends and
/// the escapes `\"`, `\\`, `\n`, `\r` and `\t`. A `#` in the place of a keyword begins a comment up to the end of the
/// line. A macro definition ends at an empty line. Unknown words are ignored, and so is `account` with its value.
package struct NetrcParser {
    /// The reason why a file was refused.
    package enum Fault: Error, Sendable, Hashable, CustomStringConvertible {
        case tooLarge, tooManyEntries, unterminatedQuote

        package var description: String {
            switch self {
            case .tooLarge: "the file is larger than \(maximumSize) bytes"
            case .tooManyEntries: "the file has more than \(maximumEntries) entries"
            case .unterminatedQuote: "a quoted word has no closing quote"
            }
        }
    }

    /// The maximum size of a file, in bytes.
    package static let maximumSize = 1 << 20
    package static let maximumEntries = 10_000

    private var rest: Substring.UTF8View
    private var entries: [Netrc.Entry] = []

    private init(_ text: String) {
        // Some editors put a byte order mark at the start of a file.
        rest = text.utf8.starts(with: "\u{FEFF}".utf8) ? text.utf8.dropFirst(3) : text[...].utf8
    }

    /// Parses the content of a file.
    package static func parse(_ text: String) throws(Fault) -> Netrc {
        guard text.utf8.count <= maximumSize else { throw .tooLarge }
        var parser = NetrcParser(text)
        try parser.parse()
        return Netrc(entries: parser.entries)
    }

    private mutating func parse() throws(Fault) {
        while let word = try word(isKeyword: true) {
            switch word {
            case "machine":
                guard let name = try self.word() else { return }
                try begin(name)
            case "default": try begin(nil)
            case "login":
                let value = try self.word()
                change { $0.login = value }
            case "password":
                let value = try self.word()
                change { $0.password = value }
            case "account": _ = try self.word()
            case "macdef": skipMacro()
            default: break
            }
        }
    }

    private mutating func begin(_ machine: String?) throws(Fault) {
        guard entries.count < Self.maximumEntries else { throw .tooManyEntries }
        entries.append(Netrc.Entry(machine: machine, login: nil, password: nil))
    }

    /// Changes the current entry; a repeated word overrides the earlier one.
    private mutating func change(_ body: (inout Netrc.Entry) -> Void) {
        guard !entries.isEmpty else { return }
        body(&entries[entries.count - 1])
    }

    private mutating func word(isKeyword: Bool = false) throws(Fault) -> String? {
        while let byte = rest.first {
            if Self.isBlank(byte) {
                rest.removeFirst()
            } else if isKeyword, byte == UInt8(ascii: "#") {
                takeLine()
            } else {
                return byte == UInt8(ascii: "\"") ? try quotedWord() : plainWord()
            }
        }
        return nil
    }

    private mutating func plainWord() -> String {
        let end = rest.firstIndex(where: Self.isBlank) ?? rest.endIndex
        defer { rest = rest[end...] }
        return String(Substring(rest[..<end]))
    }

    private mutating func quotedWord() throws(Fault) -> String {
        rest.removeFirst()
        var output: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: output, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = rest.popFirst() else { throw .unterminatedQuote }
                output.append(Self.unescaped(escaped))
            default: output.append(byte)
            }
        }
        throw .unterminatedQuote
    }

    private static func unescaped(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "n"): UInt8(ascii: "\n")
        case UInt8(ascii: "r"): UInt8(ascii: "\r")
        case UInt8(ascii: "t"): UInt8(ascii: "\t")
        default: byte
        }
    }

    private mutating func skipMacro() {
        while let line = takeLine(), line.contains(where: { !Self.isBlank($0) }) {}
    }

    /// Takes the rest of the line; nil at the end of the file.
    @discardableResult
    private mutating func takeLine() -> Substring.UTF8View? {
        guard !rest.isEmpty else { return nil }
        let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
        defer { rest = rest[end...].dropFirst() }
        return rest[..<end]
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || (byte >= 0x09 && byte <= 0x0D)
    }
}
