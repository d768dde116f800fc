/// The logins of a `.netrc` file (the format of ftp(1) and of curl): names of machines, each with user and password.
package struct Netrc: Sendable {
    struct Entry: Sendable {
        /// Nil of the default.
        let machine: String?
        var login: String?
        var password: String?
    }

    let entries: [Entry]

    /// Whether there is nothing in it.
    package var isEmpty: Bool { entries.isEmpty }

    /// The credential of the first entry for a host by name. Hosts are compared without regard to case; a port plays no
    /// part.
    ///
    /// - Parameter user: Only entries of this user; nil: any.
    package func credential(for host: String, user: String? = nil) -> Credential? {
        let host = host.lowercased()
        return credential(user) { $0.machine?.lowercased() == host }
    }

    /// The credential for machines that are not named, where the file has one.
    package func defaultCredential(user: String? = nil) -> Credential? {
        credential(user) { $0.machine == nil }
    }

    private func credential(_ user: String?, _ matches: (Entry) -> Bool) -> Credential? {
        let entry = entries.first { entry in
            matches(entry) && (user == nil || entry.login == nil || entry.login == user)
                && (entry.login != nil || entry.password != nil)
        }
        return entry.map { .user($0.login ?? user ?? "", password: $0.password ?? "") }
    }
}

extension Netrc: CustomStringConvertible, CustomReflectable {
    /// How many logins there are, and none of them.
    package var description: String { "\(entries.count) logins" }

    /// The description alone.
    package var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

/// The parser of `.netrc` files.
///
/// Words are divided by blanks and line ends; one in double quotes may hold them, with `\"`, `\\`, `\n`, `\r` and `\t`
/// as curl reads them. `#` where a keyword could stand begins a comment up to the end of the line. A macro definition
/// ends at an empty line. Unknown words are passed over, as is `account`. What follows the `default` entry is never
/// reached.
package struct NetrcParser {
    /// Why a file cannot be read.
    package enum Fault: Error, Sendable, Hashable {
        case tooLarge, tooManyEntries, unterminatedQuote
    }

    /// The largest file that is read, in bytes.
    package static let maximumSize = 1 << 20
    /// The most entries.
    package static let maximumEntries = 10_000

    private var rest: Substring.UTF8View
    private var entries: [Netrc.Entry] = []

    private init(_ text: String) {
        // Editors put a byte order mark at the start of a file.
        rest = text.utf8.starts(with: "\u{FEFF}".utf8) ? text.utf8.dropFirst(3) : text[...].utf8
    }

    /// The logins of a file with this content.
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

    /// Of words repeated in an entry the last holds.
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

    /// A macro goes up to an empty line, or the end.
    private mutating func skipMacro() {
        while let line = takeLine(), line.contains(where: { !Self.isBlank($0) }) {}
    }

    /// The rest of the line; nil at the end.
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
