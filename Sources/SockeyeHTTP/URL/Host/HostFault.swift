/// Why something is no host.
package enum HostFault: Error, Sendable, Hashable {
    case empty
    /// A forbidden character, an empty label, or an escape that hides either.
    case invalid
    case tooLong
    case invalidIPv4
    case invalidIPv6
    /// UTS 46 processing failed.
    case international
}
