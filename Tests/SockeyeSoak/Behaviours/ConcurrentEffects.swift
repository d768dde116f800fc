import SockeyeCore

extension Behaviours {
    /// Effects of other requests and of the operation of a server on a request.
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
