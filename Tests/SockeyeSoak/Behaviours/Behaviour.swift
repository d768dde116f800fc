import SockeyeCore
import SockeyeTesting

/// What a server does about a request, and what the client has to make of it.
struct Behaviour: Sendable {
    /// Whether the connection goes on.
    typealias Answer = @Sendable (Asked, ChaosPeer) async throws -> Bool

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

    /// How it is asked for.
    enum Shape: Sendable, Equatable {
        case get, head, post
        /// A body whose length is known, and one that is not.
        case upload, stream
        case expecting
        case download
        /// Content that is read bit by bit, until it ends or the call does.
        case pieces, lines, events, jsonLines, socket
        /// Together with equal requests.
        case joined
        /// While the server reloads.
        case reload
    }

    /// Where the connection leads.
    enum Door: Sendable, Equatable {
        /// To a server that hears the request, with TLS or without.
        case open
        /// TLS to what says nothing, cuts the handshake, or answers something else.
        case silent, cut, noise
        /// TLS with a certificate that nobody vouches for.
        case stranger
        /// TLS for a name that the certificate does not have.
        case otherName
        /// No TLS to a port that wants it.
        case plainToTLS
        /// A port without a listener.
        case closed
        /// A name whose look-up takes longer than the request may, and one that is known at once.
        case slowName, fastName
    }

    let name: String
    /// The name as a segment of a path.
    let segment: String
    let expected: Outcome
    let shape: Shape
    /// When the client gives up; of those that are to be answered none takes as long.
    let deadline: Duration
    /// How often it is chosen in relation to the others.
    let weight: Int
    let door: Door
    let answer: Answer

    init(
        _ name: String, _ expected: Outcome, shape: Shape = .get, deadline: Duration = .seconds(30), weight: Int = 1,
        isRare: Bool = false, door: Door = .open, answer: @escaping Answer
    ) {
        self.name = name
        segment = String(name.map { $0.isLetter || $0.isNumber ? $0 : "-" })
        self.door = door
        self.expected = expected
        self.shape = shape
        self.deadline = deadline
        // Those that keep a processor busy until a deadline are chosen ten times less often.
        self.weight = isRare ? 1 : weight * 10
        self.answer = answer
    }

    /// A request that no server hears.
    static func unheard(_ name: String, _ door: Door, deadline: Duration = .seconds(30)) -> Behaviour {
        Behaviour(name, .failure, deadline: deadline, door: door) { _, _ in false }
    }

    /// Exactly these bytes, then the end of the connection.
    static func ends(
        _ name: String, _ expected: Outcome = .failure, shape: Shape = .get,
        _ bytes: @escaping @Sendable (Asked) -> Bytes
    ) -> Behaviour {
        Behaviour(name, expected, shape: shape) { asked, peer in
            try await peer.write(bytes(asked))
            try await peer.connection.closeWrite()
            try await peer.connection.discardToEnd()
            return false
        }
    }

    /// A head that no client may take, and a body behind it.
    static func badHead(_ name: String, orElse expected: Outcome = .failure, _ head: String) -> Behaviour {
        ends(name, expected) { asked in
            Bytes(Array(head.replacing("SIZE", with: "\(asked.size)").utf8) + asked.content)
        }
    }

    /// Silence at some place until the client has gone.
    static func silent(_ name: String, _ bytes: @escaping @Sendable (Asked) -> Bytes) -> Behaviour {
        Behaviour(name, .failure, deadline: .milliseconds(100)) { asked, peer in
            try await peer.write(bytes(asked))
            try await peer.connection.discardToEnd()
            return false
        }
    }

    /// A flood: the same bytes again until the client has had enough.
    static func flood(_ name: String, start: String, _ more: String) -> Behaviour {
        Behaviour(name, .failure) { _, peer in
            try await peer.write(start)
            let block = Bytes(String(repeating: more, count: max(1, 8000 / more.utf8.count)))
            // Gigabytes, if nobody stopped it.
            for _ in 0..<200_000 { try await peer.write(block) }
            return false
        }
    }
}

/// All behaviours.
enum Behaviours {
    static let all =
        honest + framings + uploads + ends + lies + heads + codings + redirects + silences + doors + extremes + endless
        + resumes + neighbours
    static let named = Dictionary(uniqueKeysWithValues: all.map { ($0.segment, $0) })

    /// Each as often as its weight says.
    static let deck = all.flatMap { Array(repeating: $0, count: $0.weight) }

    /// Connections that come to nothing.
    static let doors: [Behaviour] = [
        .unheard("handshake without an answer", .silent, deadline: .milliseconds(100)),
        .unheard("handshake cut", .cut),
        .unheard("handshake answered in HTTP", .noise),
        .unheard("certificate of a stranger", .stranger),
        .unheard("certificate for another name", .otherName),
        .unheard("http to an https port", .plainToTLS),
        .unheard("closed port", .closed),
    ]

    static let ok = "HTTP/1.1 200 OK\r\n"

    static func length(_ asked: Asked) -> String { ok + "Content-Length: \(asked.size)\r\n" }

    /// The content in chunks of sizes by chance.
    static func chunks(_ asked: Asked, longest: Int = 4000, extensions: Bool = false) -> Bytes {
        var random = SoakRandom(state: asked.nonce &+ 7)
        let content = asked.content
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
