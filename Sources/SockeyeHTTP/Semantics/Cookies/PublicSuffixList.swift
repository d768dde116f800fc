import CSockeyeData

/// The Public Suffix List: domains below which anyone can register names, such as `com`, `co.uk`, `github.io`
/// (https://publicsuffix.org/list/).
///
/// The list is sorted text in the program's constant data and is searched in place by binary search.
package enum PublicSuffixList {
    /// Returns true if anyone can register names below `domain`. Also true for a single label without a rule, because
    /// the list's default rule is `*`.
    ///
    /// - Parameter domain: Lower-case A-labels; a final dot is ignored. Not an IP address.
    package static func contains(_ domain: String) -> Bool {
        var domain = domain[...].utf8
        if domain.last == dot { domain.removeLast() }
        return isSuffix(domain)
    }

    /// Returns the domain's public suffix and one more label, such as `example.co.uk` for `www.example.co.uk`. Nil for
    /// a public suffix, and for a name that is empty or begins with a dot.
    ///
    /// - Parameter domain: As for ``contains(_:)``.
    package static func registrableDomain(of domain: String) -> String? {
        var rest = domain[...].utf8
        if rest.last == dot { rest.removeLast() }
        guard let first = rest.first, first != dot else { return nil }
        // The longest matching suffix counts, so the search starts with the whole name.
        var candidate: Substring.UTF8View?
        while !isSuffix(rest) {
            candidate = rest
            if containsRule("!", rest) { break }
            guard let next = parent(of: rest) else { break }
            rest = next
        }
        return candidate.flatMap { String(Substring($0)) }
    }

    /// Returns true if a host may set cookies for a domain above it: the domain must be longer than the host's public
    /// suffix. The public suffix of the domain itself is not used, because it can be shorter than the host's and would
    /// then allow too much. With the rule `*.kawasaki.jp`, the public suffix of the host `a.b.kawasaki.jp` is
    /// `b.kawasaki.jp`, but that of the domain `kawasaki.jp` is only `jp`.
    ///
    /// - Parameters:
    ///   - domain: The host or a domain above it, in the form that ``contains(_:)`` expects.
    ///   - host: The host, in the same form.
    package static func allowsDomain(_ domain: String, for host: String) -> Bool {
        guard let registrable = registrableDomain(of: host) else { return false }
        let length = domain.utf8.count - (domain.utf8.last == dot ? 1 : 0)
        return length >= registrable.utf8.count
    }

    /// Returns true if `domain` is the suffix of a registry (`co.uk`), or a single label without a rule. The check of a
    /// server's certificate ignores wildcards directly below such a suffix (`*.co.uk`), because public authorities must
    /// not certify them. False for the suffix of a private operator that gives its users names below its own
    /// (`github.io`): such an operator may legitimately have a wildcard certificate for these names.
    ///
    /// - Parameter domain: As for ``contains(_:)``.
    package static func isRegistrySuffix(_ domain: String) -> Bool {
        var domain = domain[...].utf8
        if domain.last == dot { domain.removeLast() }
        guard find("!", domain) == nil else { return false }
        if let section = find("", domain) { return section == .registries }
        guard let parent = parent(of: domain) else { return true }
        return find("*.", parent) == .registries
    }

    private static let dot = UInt8(ascii: ".")

    private static func isSuffix(_ domain: Substring.UTF8View) -> Bool {
        // An exception rule (`!`) is one label longer than the suffix that it defines.
        if containsRule("!", domain) { return false }
        if containsRule("", domain) { return true }
        guard let parent = parent(of: domain) else { return true }
        return containsRule("*.", parent)
    }

    /// Returns the part after the first dot.
    private static func parent(of domain: Substring.UTF8View) -> Substring.UTF8View? {
        domain.firstIndex(of: dot).map { domain[domain.index(after: $0)...] }
    }

    /// The section of the list that a rule belongs to: ICANN's (`registries`) or the private one (`others`).
    private enum Section { case registries, others }

    private static func containsRule(_ prefix: StaticString, _ domain: Substring.UTF8View) -> Bool {
        find(prefix, domain) != nil
    }

    private static func find(_ prefix: StaticString, _ domain: Substring.UTF8View) -> Section? {
        let rule = prefix.withUTF8Buffer { unsafe Array($0) } + domain
        return find(rule, in: unsafe ConstantTable(sockeye_public_suffixes))
    }

    /// The byte between two rules. It is less than all characters of rules.
    private static let separator = UInt8(ascii: " ")

    /// The byte after each rule of the section `others`.
    private static let mark = UInt8(ascii: "+")

    private static func isOfRule(_ byte: UInt8) -> Bool { byte > separator && byte != mark }

    private static func find(_ rule: [UInt8], in text: ConstantTable<UInt8>) -> Section? {
        var (low, high) = (0, text.count)
        while low < high {
            var start = (low + high) / 2
            // Moves back from a separator to the rule before it, then to the start of that rule.
            while start > low, !isOfRule(text[start]) { start -= 1 }
            while start > low, isOfRule(text[start - 1]) { start -= 1 }
            var end = start
            while end < high, isOfRule(text[end]) { end += 1 }
            let found = text[start..<end]
            if found.elementsEqual(rule) {
                return end < text.count && text[end] == mark ? .others : .registries
            }
            if found.lexicographicallyPrecedes(rule) {
                low = end + 1
            } else {
                high = start
            }
        }
        return nil
    }
}
