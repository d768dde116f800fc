/// How long the steps of opening a connection took.
package struct DialTimings: Sendable {
    package var resolving: Duration?
    package var connecting = Duration.zero
    package var handshaking: Duration?

    package init() {}
}
