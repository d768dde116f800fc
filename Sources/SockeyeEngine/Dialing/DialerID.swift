import Synchronization

/// The identity of a dialer, never given twice. Its address would not do: a dialer that is made when another is gone may get
/// the same, and with it connections that were made with other roots, pins and certificates.
package struct DialerID: Hashable, Sendable {
    private static let count = Atomic<UInt64>(0)

    private let number: UInt64

    package init() {
        number = Self.count.wrappingAdd(1, ordering: .relaxed).newValue
    }
}
