/// A challenge of a server or proxy, from a WWW-Authenticate or Proxy-Authenticate field (RFC 9110 11.3).
public struct Challenge: Sendable, Hashable {
    struct Parameter: Sendable, Hashable {
        let name: String
        let value: String
    }

    /// The scheme as it was sent, such as `Basic`. Its case has no meaning.
    public let scheme: String
    /// The token68 in place of parameters, as in Negotiate; nil if the challenge has parameters or only a scheme.
    public let token: String?
    let parameters: [Parameter]

    init(scheme: String, token: String? = nil, parameters: [Parameter] = []) {
        self.scheme = scheme
        self.token = token
        self.parameters = parameters
    }

    /// The value of a parameter, without quotes and escapes. The case of names is ignored.
    public subscript(name: String) -> String? {
        parameters.first { Self.matches($0.name, name) }?.value
    }

    /// The realm, which together with the origin identifies the protection space (RFC 9110 11.5).
    public var realm: String? { self["realm"] }

    /// Returns true if the scheme has this name, ignoring case.
    public func isScheme(_ name: String) -> Bool { Self.matches(scheme, name) }

    /// The number of bytes in the values of all parameters.
    var length: Int { parameters.reduce(0) { $0 + $1.value.utf8.count } }

    /// Compares the lengths first, so that a peer's overlong name is rejected in constant time.
    fileprivate static func matches(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count && left.lowercased() == right.lowercased()
    }
}

extension Challenge: CustomStringConvertible, CustomReflectable {
    /// The scheme and realm, for example `Digest realm="inbox"`, without nonces and tokens.
    public var description: String { realm.map { "\(scheme) realm=\($0.debugDescription)" } ?? scheme }

    /// A mirror of the description only, so that dumps do not show nonces and tokens.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

/// A parser that reads the challenges in all WWW-Authenticate or all Proxy-Authenticate fields of a response (RFC 9110
/// 11.6.1).
///
/// Commas separate challenges, and also the parameters of a challenge. A name followed by `=` is a parameter.
///
/// Many challenges are written by hand (`Basic realm=Secure Area`), and the answers to Basic and Bearer challenges do
/// not depend on parameters. Only Digest, which hashes its parameters into the answer, is therefore parsed strictly. A
/// malformed Digest challenge is dropped, and so is one that repeats a parameter with another value. In all other
/// schemes a malformed value extends to the next comma, and text after a quoted value is ignored. Other malformed text
/// in these schemes is skipped up to the next comma, and only the first value of a repeated parameter counts.
package struct ChallengeParser {
    /// The maximum number of parsed challenges; further ones are ignored.
    package static let maximumChallenges = 32
    /// The maximum number of parameters per challenge. A challenge with more is dropped.
    package static let maximumParameters = 32
    /// The maximum length of a parameter's value in bytes; challenges with longer values are dropped. The limit keeps
    /// realms short: comparing or hashing a string of many combining marks takes quadratic time.
    package static let maximumValueLength = 8_192

    private var challenges: [Challenge] = []
    /// The challenge to which the next parameters belong; nil before the first challenge, and after a malformed one.
    private var current: (scheme: String, token: String?, parameters: [Challenge.Parameter])?

    private init() {}

    package static func challenges(in values: [String]) -> [Challenge] {
        var parser = ChallengeParser()
        for value in values { parser.read(value) }
        return Array(parser.challenges.prefix(maximumChallenges))
    }

    private mutating func read(_ value: String) {
        var scanner = FieldScanner(value.utf8Span.span)
        scanner.skipSeparators()
        while !scanner.isAtEnd, challenges.count < Self.maximumChallenges {
            readMember(&scanner)
            scanner.skipSeparators()
        }
        finish()
    }

    /// True if the parser tolerates malformed parameters in the current challenge.
    private var isLenient: Bool { current.map { !Challenge.matches($0.scheme, "digest") } ?? false }

    private mutating func readMember(_ scanner: inout FieldScanner) {
        guard let name = scanner.token() else { return skip(&scanner) }
        let end = scanner.position
        scanner.skipBlanks()
        if scanner.skip(UInt8(ascii: "=")) {
            readValue(of: scanner.string(name), &scanner)
        } else {
            scanner.rewind(to: end)
            readScheme(scanner.string(name), &scanner)
        }
    }

    private mutating func readScheme(_ scheme: String, _ scanner: inout FieldScanner) {
        finish()
        let isApart = scanner.skipBlanks()
        guard isApart || scanner.isAtEnd || scanner.peek == UInt8(ascii: ",") else { return skip(&scanner) }
        current = (scheme, nil, [])
        if isApart, let token = scanner.token68() {
            current?.token = scanner.string(token)
        } else if isApart, !scanner.isAtEnd, scanner.peek != UInt8(ascii: ",") {
            guard let name = scanner.token(), case _ = scanner.skipBlanks(), scanner.skip(UInt8(ascii: "=")) else {
                return skip(&scanner)
            }
            readValue(of: scanner.string(name), &scanner)
        }
    }

    private mutating func readValue(of name: String, _ scanner: inout FieldScanner) {
        guard let value = scannedValue(&scanner), let challenge = current, challenge.token == nil else {
            return skip(&scanner)
        }
        guard challenge.parameters.count < Self.maximumParameters, value.utf8.count <= Self.maximumValueLength else {
            current = nil
            return
        }
        let name = name.lowercased()
        let known = challenge.parameters.first { $0.name == name }
        guard let known else {
            current?.parameters.append(.init(name: name, value: value))
            return
        }
        if !isLenient, !known.value.utf8.elementsEqual(value.utf8) { current = nil }
    }

    /// Takes a token or a quoted string. After it, only a comma or the end of the field is well-formed. For a malformed
    /// value, returns nil if the current challenge is parsed strictly.
    private func scannedValue(_ scanner: inout FieldScanner) -> String? {
        scanner.skipBlanks()
        let (start, first) = (scanner.position, scanner.peek)
        let value = scanner.value()
        scanner.skipBlanks()
        if let value, scanner.isAtEnd || scanner.peek == UInt8(ascii: ",") { return value }
        guard isLenient else { return nil }
        let isQuoted = value != nil && first == UInt8(ascii: "\"")
        if !isQuoted { scanner.rewind(to: start) }
        scanner.skipMember()
        return isQuoted ? value : scanner.string(scanner.trimmedEnd(start..<scanner.position))
    }

    /// Skips malformed text up to the next comma. If the current challenge is parsed strictly, drops this challenge.
    private mutating func skip(_ scanner: inout FieldScanner) {
        if !isLenient { current = nil }
        scanner.skipMember()
    }

    private mutating func finish() {
        guard let (scheme, token, parameters) = current else { return }
        challenges.append(Challenge(scheme: scheme, token: token, parameters: parameters))
        current = nil
    }
}
