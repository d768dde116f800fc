/// Reads the challenges of all fields of one name (RFC 9110 11.6.1).
///
/// A comma divides challenges as well as their parameters, and a field may hold several challenges; what decides is
/// whether a name is followed by `=`. A challenge that cannot be read is left out, with all that belongs to it; those
/// around it are kept. A parameter that stands twice with different values makes a challenge unreadable, since two
/// readers might not take the same one.
package struct ChallengeParser {
    /// The most challenges that are looked at.
    package static let maximumChallenges = 32
    /// The most parameters of one challenge. One with more is left out.
    package static let maximumParameters = 32
    /// The longest value of a parameter in bytes. A challenge with a longer one is left out: realms are compared and hashed,
    /// which takes a string of combining marks a time with the square of their number.
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
        scanner.skipBlanks()
        guard let value = scanner.value() else { return skip(&scanner) }
        scanner.skipBlanks()
        guard scanner.isAtEnd || scanner.peek == UInt8(ascii: ","), let challenge = current, challenge.token == nil,
            challenge.parameters.count < Self.maximumParameters, value.utf8.count <= Self.maximumValueLength
        else { return skip(&scanner) }
        let known = challenge.parameters.first { $0.name == name.lowercased() }
        guard let known else {
            current?.parameters.append(.init(name: name.lowercased(), value: value))
            return
        }
        if !known.value.utf8.elementsEqual(value.utf8) { current = nil }
    }

    /// Leaves out the challenge that cannot be read.
    private mutating func skip(_ scanner: inout FieldScanner) {
        current = nil
        scanner.skipMember()
    }

    private mutating func finish() {
        guard let (scheme, token, parameters) = current else { return }
        challenges.append(Challenge(scheme: scheme, token: token, parameters: parameters))
        current = nil
    }
}
