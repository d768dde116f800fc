import Synchronization

/// The identity of a dialer, never reused; it is part of the key of a pooled connection. The dialer's memory address
/// would not do, because a new dialer may get the address of a deallocated dialer. The new dialer would then get
/// connections that were made with other roots, pins and certificates.
package struct DialerID: Hashable, Sendable {
    private static let count = Atomic<UInt64>(0)

    private let number: UInt64

    package init() {
        number = Self.count.wrappingAdd(1, ordering: .relaxed).newValue
    }
}
