/// A challenge of a server or proxy: what a WWW-Authenticate or Proxy-Authenticate field asks for (RFC 9110 11.3).
public struct Challenge: Sendable, Hashable {
    struct Parameter: Sendable, Hashable {
        let name: String
        let value: String
    }

    /// The scheme as it was sent, such as `Basic`; letters in either case mean the same.
    public let scheme: String
    /// What stands in place of parameters, as with Negotiate; nil where there are parameters, or nothing.
    public let token: String?
    let parameters: [Parameter]

    init(scheme: String, token: String? = nil, parameters: [Parameter] = []) {
        self.scheme = scheme
        self.token = token
        self.parameters = parameters
    }

    /// The value of a parameter, without quotes and escapes. Names compare without regard to case.
    public subscript(name: String) -> String? {
        parameters.first { Self.matches($0.name, name) }?.value
    }

    /// What the credentials are for: with the origin it makes the protection space (RFC 9110 11.5).
    public var realm: String? { self["realm"] }

    /// Whether the scheme is the one of this name, whatever the case of its letters.
    public func isScheme(_ name: String) -> Bool { Self.matches(scheme, name) }

    /// The number of bytes in the values of all parameters.
    var length: Int { parameters.reduce(0) { $0 + $1.value.utf8.count } }

    private static func matches(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count && left.lowercased() == right.lowercased()
    }
}

extension Challenge: CustomStringConvertible, CustomReflectable {
    /// For example `Digest realm="inbox"`. Nonces and tokens are left out.
    public var description: String { realm.map { "\(scheme) realm=\($0.debugDescription)" } ?? scheme }

    /// The description alone, so that dumps show no nonces and tokens either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

/// The parser of challenges, of all fields of one name (RFC 9110 11.6.1).
///
/// A comma separates challenges as well as their parameters; a name followed by `=` is a parameter.
///
/// Administrators write challenges by hand (`Basic realm=Secure Area`), and no parameter decides how Basic or Bearer are
/// answered. So only Digest, whose answer is a hash over its parameters, is read strictly: a malformed challenge is left out with
/// its parameters, and so is one with a parameter that stands twice with different values. Of every other scheme a malformed value
/// goes up to the next comma, a malformed member is passed over, and of two values the first counts.
package struct ChallengeParser {
    /// The most challenges that are read.
    package static let maximumChallenges = 32
    /// The most parameters of one challenge. One with more is left out.
    package static let maximumParameters = 32
    /// The longest value of a parameter in bytes. A challenge with a longer one is left out: realms are compared and
    /// hashed, which takes a string of combining marks a time with the square of their number.
    package static let maximumValueLength = 8_192

    private var challenges: [Challenge] = []
    /// The challenge that parameters belong to; nil before the first, and after one that cannot be read.
    private var current: (scheme: String, token: String?, parameters: [Challenge.Parameter])?

    private init() {}

    /// The challenges of field values, in order.
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

    /// Whether the challenge that is being read may have malformed parameters.
    private var isLenient: Bool { current.map { $0.scheme.lowercased() != "digest" } ?? false }

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
        let known = challenge.parameters.first { $0.name == name.lowercased() }
        guard let known else {
            current?.parameters.append(.init(name: name.lowercased(), value: value))
            return
        }
        if !isLenient, !known.value.utf8.elementsEqual(value.utf8) { current = nil }
    }

    /// A token or a quoted string up to a comma or the end. Nil if there is something else, and the challenge is read strictly.
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

    /// Passes over a malformed member, and leaves out its challenge unless that is read leniently.
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
