/// The readiness of a descriptor (epoll(7)).
package struct Interest: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let read = Interest(rawValue: 1)
    package static let write = Interest(rawValue: 2)
    /// The peer will send no more, or the connection broke. Never waited for alone: who waits to read hears of it.
    package static let end = Interest(rawValue: 4)
}

/// The role of a task on a stream, which has one of each at most. Each may wait for either readiness without taking the
/// other's wake-up.
package enum StreamRole: Sendable {
    case reader, writer
}
