import SockeyeCore
import SockeyeTesting

/// The answer of a server to a request, and the outcome that the client must report.
struct Behaviour: Sendable {
    /// Answers the request, and returns whether the connection stays open.
    typealias Answer = @Sendable (SoakRequest, ChaosPeer) async throws -> Bool

    enum Outcome: Sendable, Equatable {
        /// The content, byte by byte.
        case content
        /// An answer without content.
        case empty
        /// An error, never an answer.
        case failure
        /// The content or an error.
        case either
    }

    /// The form of the request, and the way to read its answer.
    enum Shape: Sendable, Equatable {
        case get, head, post
        /// A request body of known length, and one of unknown length.
        case upload, stream
        case expecting
        case download
        /// Content that is read in pieces, until it or the call ends.
        case pieces, lines, events, jsonLines, socket
        /// A request that is joined with equal requests.
        case joined
        /// A request while the server reloads.
        case reload
    }

    /// The target of the connection.
    enum Target: Sendable, Equatable {
        /// A server that receives the request, with TLS or without.
        case open
        /// TLS to a peer that stays silent, cuts the handshake, or answers with another protocol.
        case silent, cut, noise
        /// TLS with a certificate from an unknown authority.
        case untrusted
        /// TLS for a name that the certificate does not contain.
        case otherName
        /// Plain HTTP to a port that expects TLS.
        case plainToTLS
        /// A port without a listener.
        case closed
        /// A host name whose look-up takes longer than the deadline of the request, and one with an immediate answer.
        case slowName, fastName
    }

    let name: String
    /// The name as a segment of a path.
    let segment: String
    let expected: Outcome
    let shape: Shape
    /// The client's deadline. An expected answer always arrives earlier.
    let deadline: Duration
    /// The frequency of the behaviour relative to the others.
    let weight: Int
    let target: Target
    let answer: Answer

    init(
        _ name: String, _ expected: Outcome, shape: Shape = .get, deadline: Duration = .seconds(30), weight: Int = 1,
        isRare: Bool = false, target: Target = .open, answer: @escaping Answer
    ) {
        self.name = name
        segment = String(name.map { $0.isLetter || $0.isNumber ? $0 : "-" })
        self.target = target
        self.expected = expected
        self.shape = shape
        self.deadline = deadline
        // Behaviours that keep a processor busy until a deadline are chosen ten times less often.
        self.weight = isRare ? 1 : weight * 10
        self.answer = answer
    }

    /// Returns a behaviour without a server that receives the request.
    static func unheard(_ name: String, _ target: Target, deadline: Duration = .seconds(30)) -> Behaviour {
        Behaviour(name, .failure, deadline: deadline, target: target) { _, _ in false }
    }

    /// Returns a behaviour that sends exactly these bytes, and then ends the connection.
    static func ends(
        _ name: String, _ expected: Outcome = .failure, shape: Shape = .get,
        _ bytes: @escaping @Sendable (SoakRequest) -> Bytes
    ) -> Behaviour {
        Behaviour(name, expected, shape: shape) { request, peer in
            try await peer.write(bytes(request))
            try await peer.connection.closeWrite()
            try await peer.connection.discardToEnd()
            return false
        }
    }

    /// Returns a behaviour that sends a head which no client may accept, and a body after it.
    static func badHead(_ name: String, orElse expected: Outcome = .failure, _ head: String) -> Behaviour {
        ends(name, expected) { request in
            Bytes(Array(head.replacing("SIZE", with: "\(request.size)").utf8) + request.content)
        }
    }

    /// Returns a behaviour that sends these bytes, and then stays silent until the client leaves.
    static func silent(_ name: String, _ bytes: @escaping @Sendable (SoakRequest) -> Bytes) -> Behaviour {
        Behaviour(name, .failure, deadline: .milliseconds(100)) { request, peer in
            try await peer.write(bytes(request))
            try await peer.connection.discardToEnd()
            return false
        }
    }

    /// Returns a behaviour that repeats the same bytes until the client closes the connection.
    static func flood(_ name: String, start: String, _ more: String) -> Behaviour {
        Behaviour(name, .failure) { _, peer in
            try await peer.write(start)
            let block = Bytes(String(repeating: more, count: max(1, 8000 / more.utf8.count)))
            // Sends gigabytes, unless the client closes the connection.
            for _ in 0..<200_000 { try await peer.write(block) }
            return false
        }
    }
}

/// All behaviours.
enum Behaviours {
    static let all =
        correctAnswers + framings + uploads + ends + contradictions + heads + codings + redirects + silences
        + failedConnections + extremes + endless + resumes + concurrentEffects
    static let named = Dictionary(uniqueKeysWithValues: all.map { ($0.segment, $0) })

    /// Each behaviour as often as its weight says.
    static let deck = all.flatMap { Array(repeating: $0, count: $0.weight) }

    /// Connections that fail before a server receives the request.
    static let failedConnections: [Behaviour] = [
        .unheard("handshake without an answer", .silent, deadline: .milliseconds(100)),
        .unheard("handshake cut", .cut),
        .unheard("handshake answered in HTTP", .noise),
        .unheard("certificate of an unknown authority", .untrusted),
        .unheard("certificate for another name", .otherName),
        .unheard("http to an https port", .plainToTLS),
        .unheard("closed port", .closed),
    ]

    static let ok = "HTTP/1.1 200 OK\r\n"

    static func length(_ request: SoakRequest) -> String { ok + "Content-Length: \(request.size)\r\n" }

    /// Returns the content in chunks of random sizes.
    static func chunks(_ request: SoakRequest, longest: Int = 4000, extensions: Bool = false) -> Bytes {
        var random = SoakRandom(state: request.nonce &+ 7)
        let content = request.content
        var coded: [UInt8] = []
        var start = 0
        while start < content.count {
            let end = min(content.count, start + 1 + Int(random.next() % UInt64(longest)))
            let size = String(end - start, radix: 16, uppercase: random.next() % 2 == 0)
            let padded = String(repeating: "0", count: Int(random.next() % 3)) + size
            coded += Array((padded + (extensions ? " ;a=\"b;\\\"c\";d" : "") + "\r\n").utf8)
            coded += content.slice(start..<end)
            coded += [0x0D, 0x0A]
            start = end
        }
        return Bytes(coded)
    }

    static let chunked = ok + "Transfer-Encoding: chunked\r\n\r\n"
}
