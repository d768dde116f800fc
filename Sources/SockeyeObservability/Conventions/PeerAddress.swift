/// The peer of a connection, in the form of the OpenTelemetry attributes `network.peer.address` and
/// `network.peer.port`.
package struct PeerAddress: Sendable, Hashable {
    /// An IP address without brackets, or the path of a unix-domain socket.
    package let address: String
    /// The port; nil for a unix-domain socket, or if the description has no valid port.
    package let port: Int?

    /// Parses an address in the format of `CallMetrics.Connection.remoteAddress`.
    package init(_ description: String) {
        if description.hasPrefix("unix:") {
            address = String(description.dropFirst("unix:".count))
            port = nil
        } else if let colon = description.utf8.lastIndex(of: UInt8(ascii: ":")) {
            address = description[..<colon].trimming("[", "]")
            port = Int(description[description.index(after: colon)...])
        } else {
            address = description
            port = nil
        }
    }
}

extension Substring {
    fileprivate func trimming(_ first: Character, _ last: Character) -> String {
        guard utf8.first == first.asciiValue, utf8.last == last.asciiValue else { return String(self) }
        return String(dropFirst().dropLast())
    }
}
