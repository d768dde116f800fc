/// A connection that the shell is to open; it reports the end with `dialSucceeded` or `dialFailed`, exactly once.
package struct PoolDial<Key: Hashable & Sendable>: Sendable, Hashable {
    package let id: DialID
    package let key: Key
}
