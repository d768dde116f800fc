/// The hosts that are reached without a proxy: the value of `no_proxy`.
///
/// There is no standard for it. The entries are separated by commas, blanks around them mean nothing, and each is
///
/// - `example.com` or `.example.com`: this name and all below it, whatever the case of the letters; `*.example.com`: the
///   same. One dot at the end of either name means nothing.
/// - an IP address, or a network such as `10.0.0.0/8` and `fd00::/8`; an IPv6 address may be in brackets.
/// - `*`: every host.
///
/// Names and addresses may be followed by `:port`, and then stand for that port only. An entry that is none of this, one
/// with a blank inside for instance, stands for nothing.
package struct BypassList: Sendable, Hashable {
    private let entries: [BypassEntry]

    package init(_ text: String) {
        entries = text.split(separator: ",").compactMap { BypassEntry($0) }
    }

    /// Whether no proxy is to be used for a host, an IPv6 address without brackets, at a port.
    package func contains(host: String, port: Int) -> Bool {
        guard !entries.isEmpty else { return false }
        let host = BypassEntry.Host(host)
        return entries.contains { $0.matches(host, port: port) }
    }
}
