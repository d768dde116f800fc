package import SockeyeCore

/// What of a request goes into an answer to a Digest challenge.
package struct DigestRequest: Sendable {
    let method: String
    let target: String
    let content: Bytes?

    /// - Parameters:
    ///   - target: The request target exactly as it is sent.
    ///   - content: Nil where it is not in memory, and so cannot be protected.
    package init(method: String, target: String, content: Bytes?) {
        self.method = method
        self.target = target
        self.content = content
    }
}
