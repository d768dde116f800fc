import SockeyeHTTP

/// The Cache-Control directives of a request or response (RFC 9111 5.2, RFC 5861, RFC 8246).
///
/// A tolerant parser: unknown directives are ignored, arguments may be tokens or quoted strings, and numbers above 2^31
/// count as 2^31. For invalid or repeated directives the more careful reading wins (RFC 9111 4.2.1): the shorter
/// freshness, the lesser staleness.
///
/// `s-maxage`, `proxy-revalidate` and the field names of `private` do not concern a private cache and are ignored. A
/// `no-cache` with field names counts as `no-cache` for the whole response.
package struct CacheDirectives: Sendable, Hashable {
    package struct Flags: OptionSet, Sendable, Hashable {
        package let rawValue: UInt16
        package init(rawValue: UInt16) { self.rawValue = rawValue }
        package static let noCache = Flags(rawValue: 1)
        package static let noStore = Flags(rawValue: 2)
        package static let onlyIfCached = Flags(rawValue: 4)
        package static let mustRevalidate = Flags(rawValue: 8)
        package static let mustUnderstand = Flags(rawValue: 16)
        package static let isPublic = Flags(rawValue: 32)
        package static let isPrivate = Flags(rawValue: 64)
        package static let immutable = Flags(rawValue: 128)
    }

    /// 2^31: the value that replaces any larger number of seconds (RFC 9111 1.2.2).
    package static let maximumSeconds: Int64 = 1 << 31

    package private(set) var flags: Flags = []
    /// Seconds; the least value if the directive is repeated, and 0 if invalid.
    package private(set) var maxAge: Int64?
    /// Seconds; the least value if the directive is repeated, ``maximumSeconds`` without an argument, and 0 if invalid.
    package private(set) var maxStale: Int64?
    /// Seconds; the greatest value if the directive is repeated, and ``maximumSeconds`` if invalid.
    package private(set) var minFresh: Int64?
    /// Seconds; the least value if the directive is repeated, and 0 if invalid (RFC 5861 3).
    package private(set) var staleWhileRevalidate: Int64?
    /// Seconds; the least value if the directive is repeated, and 0 if invalid (RFC 5861 4).
    package private(set) var staleIfError: Int64?

    init() {}

    /// - Parameter values: The values of all Cache-Control fields of a message.
    package init(_ values: [String]) {
        for value in values { parse(value) }
    }

    /// Parses the directives of a request. Without Cache-Control, `Pragma: no-cache` counts as `no-cache` (RFC 9111
    /// 5.4).
    package init(request headers: Headers) {
        self.init(headers[values: .cacheControl])
        guard !headers.contains(.cacheControl) else { return }
        for value in headers[values: "Pragma"] {
            if CacheDirectives([value]).flags.contains(.noCache) { flags.insert(.noCache) }
        }
    }

    package func has(_ flag: Flags) -> Bool { flags.contains(flag) }

    private mutating func parse(_ value: String) {
        var scan = FieldScanner(value.utf8Span.span)
        while let range = scan.quotedMember() {
            var member = scan.subscanner(range)
            parseMember(&member)
            // An unclosed quoted string would hide all directives after it, so its rest is parsed as a list.
            guard Self.skipToUnclosedString(&member) else { continue }
            while let range = member.member() {
                var rest = member.subscanner(range)
                parseMember(&rest)
            }
        }
    }

    /// Moves the scanner past the opening quote of an unclosed quoted string; false if every quoted string is closed.
    /// The scanner must not be inside a quoted string before.
    private static func skipToUnclosedString(_ member: inout FieldScanner) -> Bool {
        let quote = UInt8(ascii: "\"")
        repeat { _ = member.take { $0 != quote } } while member.quotedString() != nil
        return member.skip(quote)
    }

    /// Parses one directive. If its argument is an unclosed quoted string, the scanner then stands at the quote.
    private mutating func parseMember(_ member: inout FieldScanner) {
        guard let name = member.token() else { return }
        let hasBlanks = member.skipBlanks()
        guard member.skip(UInt8(ascii: "=")) else {
            return note(member.lowercased(name), argument: member.isAtEnd ? .absent : .invalid)
        }
        let text = member.value()
        let isWhole = text != nil && member.isAtEnd && !hasBlanks
        note(member.lowercased(name), argument: isWhole ? Self.seconds(text ?? "") : .invalid)
    }

    private enum Argument {
        case absent, invalid
        case seconds(Int64)
    }

    private static func seconds(_ text: String) -> Argument {
        guard !text.isEmpty, text.utf8.allSatisfy(ByteClass.isDigit) else { return .invalid }
        return .seconds(min(Int64(text) ?? maximumSeconds, maximumSeconds))
    }

    private static let names: [String: Flags] = [
        "no-cache": .noCache, "no-store": .noStore, "only-if-cached": .onlyIfCached,
        "must-revalidate": .mustRevalidate, "must-understand": .mustUnderstand, "public": .isPublic,
        "private": .isPrivate, "immutable": .immutable,
    ]

    private mutating func note(_ name: String, argument: Argument) {
        if let flag = Self.names[name] {
            flags.insert(flag)
            return
        }
        let seconds: Int64? = if case .seconds(let seconds) = argument { seconds } else { nil }
        switch name {
        case "max-age": maxAge = min(maxAge ?? .max, seconds ?? 0)
        case "max-stale":
            let isAny = if case .absent = argument { true } else { false }
            maxStale = min(maxStale ?? .max, isAny ? Self.maximumSeconds : seconds ?? 0)
        case "min-fresh": minFresh = max(minFresh ?? 0, seconds ?? Self.maximumSeconds)
        case "stale-while-revalidate": staleWhileRevalidate = min(staleWhileRevalidate ?? .max, seconds ?? 0)
        case "stale-if-error": staleIfError = min(staleIfError ?? .max, seconds ?? 0)
        default: break
        }
    }
}
