import SockeyeCore

extension Behaviours {
    /// Requests that are affected by other requests, by a reload of the server, or by the resolution of their host
    /// name.
    static let concurrentEffects: [Behaviour] = [
        // Three equal requests that share one exchange. The body of one response is not read.
        Behaviour("unread beside joined", .content, shape: .joined, isRare: true) { request, peer in
            try await peer.write(length(request) + "Cache-Control: max-age=60\r\n\r\n", request.content)
            return true
        },
        // The server closes its idle connections, and the others after their answers, as in a graceful reload.
        Behaviour("reload", .content, shape: .reload, isRare: true) { request, peer in
            try await peer.write(length(request) + "\r\n", request.content)
            return true
        },
        .unheard("slow name", .slowName, deadline: .milliseconds(100)),
        Behaviour("fast name", .content, target: .fastName) { request, peer in
            try await peer.write(length(request) + "\r\n", request.content)
            return true
        },
    ]
}
