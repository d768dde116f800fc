/// A connection that the shell is to open; it reports the end with `dialSucceeded` or `dialFailed`, exactly once.
package struct PoolDial<Key: Hashable & Sendable>: Sendable, Hashable {
    package let id: DialID
    private let box: Box

    package var key: Key { box.key }

    init(id: DialID, key: Key) {
        self.id = id
        box = Box(key)
    }

    package static func == (left: PoolDial, right: PoolDial) -> Bool { left.id == right.id && left.key == right.key }

    package func hash(into hasher: inout Hasher) { hasher.combine(id) }

    /// Keys are large and dials rare: every decision of the pool has room for one, and hardly any has one.
    private final class Box: Sendable {
        let key: Key

        init(_ key: Key) { self.key = key }
    }
}
