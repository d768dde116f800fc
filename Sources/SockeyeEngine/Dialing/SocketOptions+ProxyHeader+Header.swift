import SockeyeHTTP
import SockeyeNet

extension SocketOptions.ProxyHeader {
    /// Returns the PROXY protocol header for a connection.
    func header(of socket: SocketStream) -> [UInt8] {
        let ends = ends(of: socket)
        return switch version {
        case .v1: ProxyProtocolHeader.version1(ends)
        case .v2: ProxyProtocolHeader.version2(ends)
        }
    }

    private func ends(of socket: SocketStream) -> ProxyProtocolHeader.Ends? {
        guard let from = source ?? socket.localAddress, let to = socket.peerAddress, let source = from.octets,
            let destination = to.octets
        else { return nil }
        return ProxyProtocolHeader.Ends(
            source: source, sourcePort: from.port ?? 0, destination: destination, destinationPort: to.port ?? 0)
    }
}
