/// The Public Suffix List: domains below which anybody may register names, such as `com`, `co.uk`, `github.io`
/// (https://publicsuffix.org/list/).
///
/// It is sorted text in the program's constant data, which is binary searched in place: nothing is built from it, and a
/// program that never sees a Domain attribute reads none of it.
package enum PublicSuffixList {
    /// Whether everybody may register names below `domain`. True of names of one label that no rule is about, too: the
    /// list has `*` for those.
    ///
    /// - Parameter domain: Lower-case A-labels; a dot at its end does not matter. No address.
    package static func contains(_ domain: String) -> Bool {
        var domain = domain[...].utf8
        if domain.last == dot { domain.removeLast() }
        return isSuffix(domain)
    }

    /// The public suffix of a domain and the label before it; nil of a public suffix, and of what is no name.
    ///
    /// - Parameter domain: As for ``contains(_:)``.
    package static func registrableDomain(of domain: String) -> String? {
        var rest = domain[...].utf8
        if rest.last == dot { rest.removeLast() }
        guard let first = rest.first, first != dot else { return nil }
        // The longest suffix that a rule makes one counts, so the way is from the whole name down.
        var candidate: Substring.UTF8View?
        while !isSuffix(rest) {
            candidate = rest
            if holds("!", rest) { break }
            guard let next = parent(of: rest) else { break }
            rest = next
        }
        return candidate.flatMap { String(Substring($0)) }
    }

    /// Whether a host may have cookies for a domain above it: one that is longer than the public suffix of the host,
    /// which an exception to a wildcard makes longer than the domain's own would be. As curl has it with libpsl.
    ///
    /// - Parameters:
    ///   - domain: One that the host is within.
    ///   - host: As for ``contains(_:)``, as is the domain.
    package static func permits(_ domain: String, for host: String) -> Bool {
        guard let registrable = registrableDomain(of: host) else { return false }
        let length = domain.utf8.count - (domain.utf8.last == dot ? 1 : 0)
        return length >= registrable.utf8.count
    }

    /// Whether `domain` is a suffix of a registry itself (`co.uk`), not of somebody who lets others have names below
    /// his own (`github.io`) and may well have a certificate for all of them.
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
        // An exception is one label longer than the suffix that it means.
        if holds("!", domain) { return false }
        if holds("", domain) { return true }
        guard let parent = parent(of: domain) else { return true }
        return holds("*.", parent)
    }

    /// What follows the first dot.
    private static func parent(of domain: Substring.UTF8View) -> Substring.UTF8View? {
        domain.firstIndex(of: dot).map { domain[domain.index(after: $0)...] }
    }

    /// Whose suffix it is that a rule is about.
    private enum Section { case registries, others }

    private static func holds(_ prefix: StaticString, _ domain: Substring.UTF8View) -> Bool {
        find(prefix, domain) != nil
    }

    private static func find(_ prefix: StaticString, _ domain: Substring.UTF8View) -> Section? {
        let rule = prefix.withUTF8Buffer { unsafe Array($0) } + domain
        return PublicSuffixData.rules.withUTF8Buffer { unsafe find(rule, in: $0) }
    }

    /// The blank, which ends a rule as the line end does, is below all that rules consist of.
    private static let separator = UInt8(ascii: " ")

    /// Stands behind a rule that only the section of others has.
    private static let mark = UInt8(ascii: "+")

    private static func isOfRule(_ byte: UInt8) -> Bool { byte > separator && byte != mark }

    private static func find(_ rule: [UInt8], in text: UnsafeBufferPointer<UInt8>) -> Section? {
        var (low, high) = (0, text.count)
        while low < high {
            var start = (low + high) / 2
            // From what is between two rules back to the first of them.
            while start > low, unsafe !isOfRule(text[start]) { start -= 1 }
            while start > low, unsafe isOfRule(text[start - 1]) { start -= 1 }
            var end = start
            while end < high, unsafe isOfRule(text[end]) { end += 1 }
            let found = unsafe text[start..<end]
            if unsafe found.elementsEqual(rule) {
                return unsafe end < text.count && text[end] == mark ? .others : .registries
            }
            if unsafe found.lexicographicallyPrecedes(rule) {
                low = end + 1
            } else {
                high = start
            }
        }
        return nil
    }
}
