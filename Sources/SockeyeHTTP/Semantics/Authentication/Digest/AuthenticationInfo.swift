/// What Authentication-Info says after a request was let in (RFC 7615, RFC 7616 3.5).
package struct AuthenticationInfo: Sendable, Hashable {
    /// The nonce to use from now on.
    package let nextNonce: String?

    /// Reads the value of the field. What cannot be read says nothing.
    package init(_ value: String) {
        // The parameters are those of a challenge without its scheme.
        nextNonce = ChallengeParser.challenges(in: ["Info " + value]).first?["nextnonce"]
    }
}
