import Sockeye
import SockeyeStreams
import SockeyeTestSupport
import SockeyeTesting
import Testing

#if Images
import SockeyeImages
#endif
#if XML
import SockeyeXML
#endif

/// An endless answer, and a caller that reads it with one API of the library until it is cancelled.
struct EndlessUse: Sendable, CustomTestStringConvertible {
    /// Reads from the URL with the client, and calls the closure once data has arrived.
    typealias Reading = @Sendable (HTTPClient, String, () -> Void) async throws -> Void

    let answer: EndlessAnswer
    let api: String
    var proxy: ProxyKind?
    var isSecure = false
    let read: Reading

    /// A proxy between client and server; with a proxy, the proxy is the endless peer.
    enum ProxyKind { case http, socks }

    var testDescription: String { "\(answer), by \(api)\(isSecure ? ", over TLS" : "")" }

    init(
        _ answer: EndlessAnswer, api: String, proxy: ProxyKind? = nil, isSecure: Bool = false, _ read: @escaping Reading
    ) {
        (self.answer, self.api, self.proxy, self.isSecure, self.read) = (answer, api, proxy, isSecure, read)
    }

    /// Makes a client that reaches the server, through the proxy if there is one.
    func client(of server: RawServer) throws -> HTTPClient {
        var configuration = try Credentials.configuration()
        configuration.limits.decodedBytes = .max
        configuration.pool.connectionsPerOrigin = 1
        switch proxy {
        case .http: configuration.proxy = .http("http://127.0.0.1:\(server.port)")
        case .socks: configuration.proxy = .socks5("127.0.0.1:\(server.port)")
        case nil: break
        }
        return HTTPClient(configuration: configuration)
    }

    /// The URL to read from.
    func url(of server: RawServer) -> String { proxy == nil ? server.url() : "https://10.0.0.1/" }

    /// Repeats a call that ends before it is cancelled, for instance at a limit, until the task is cancelled.
    private static func repeating(_ call: @escaping @Sendable (HTTPClient, String) async throws -> Void) -> Reading {
        { client, url, begun in
            while !Task.isCancelled {
                do { try await call(client, url) } catch {}
                begun()
            }
        }
    }

    static let all: [EndlessUse] = bodies + records + documents + codings + heads

    private static let pieces: Reading = { client, url, begun in
        for try await _ in try await client.get(url).body { begun() }
    }

    private static let bodies: [EndlessUse] = [
        EndlessUse(.untilClose, api: "pieces", pieces),
        EndlessUse(.announced, api: "pieces", isSecure: true, pieces),
        EndlessUse(.chunks, api: "pieces", pieces),
        EndlessUse(.untilClose, api: "bytes()", repeating { try await _ = $0.get($1).bytes(upTo: 16 << 20) }),
        EndlessUse(.chunks, api: "text()", repeating { try await _ = $0.get($1).text(upTo: 1 << 20) }),
        EndlessUse(.chunks, api: "dropping the response", repeating { try await _ = $0.get($1) }),
        EndlessUse(.untilClose, api: "a sink") { client, url, begun in
            try await client.get(url).body.write { _ in begun() }
        },
    ]

    private static let records: [EndlessUse] = [
        EndlessUse(.lines, api: "lines") { client, url, begun in
            for try await _ in try await client.get(url).body.lines { begun() }
        },
        EndlessUse(.lines, api: "forEachLine") { client, url, begun in
            try await client.get(url).body.forEachLine { _ in begun() }
        },
        EndlessUse(.events, api: "events", events),
        EndlessUse(.comments, api: "events", events),
        EndlessUse(.jsonLines, api: "jsonLines", jsonLines),
        EndlessUse(.blankLines, api: "jsonLines", jsonLines),
        EndlessUse(.jsonSequence, api: "jsonLines", jsonLines),
        EndlessUse(.part, api: "parts()", parts),
        EndlessUse(.parts, api: "parts()", repeating { try await parts($0, $1) {} }),
    ]

    /// Uses of the modules behind package traits.
    private static let documents: [EndlessUse] = {
        var uses: [EndlessUse] = []
        #if XML
        uses.append(
            EndlessUse(.elements, api: "XML events") { client, url, begun in
                for try await _ in try await client.get(url, as: .xmlEvents) { begun() }
            })
        #endif
        #if Images
        uses.append(EndlessUse(.image, api: "imageInfo", repeating { try await _ = $0.get($1, as: .imageInfo) }))
        #endif
        return uses
    }()

    /// Reads the updates, which begin with the response, because a stream of comments has no events.
    private static let events: Reading = { client, url, begun in
        for try await _ in client.events(url).updates { begun() }
    }

    private static let jsonLines: Reading = { client, url, begun in
        let response = try await client.get(url)
        begun()
        for try await _ in response.body.jsonLines(of: Int.self) {}
    }

    private static let parts: Reading = { client, url, begun in
        for try await _ in try await client.get(url).parts() { begun() }
    }

    private static let codings: [EndlessUse] = {
        guard let zeros = try? EndlessAnswer.zeros(), let blocks = try? EndlessAnswer.emptyBlocks() else { return [] }
        return [EndlessUse(zeros, api: "pieces", pieces), EndlessUse(blocks, api: "pieces", pieces)]
    }()

    private static let heads: [EndlessUse] = [
        EndlessUse(.interim, api: "get", repeating { try await _ = $0.get($1) }),
        EndlessUse(.fields, api: "get", isSecure: true, repeating { try await _ = $0.get($1) }),
        EndlessUse(.interim, api: "CONNECT", proxy: .http, repeating { try await _ = $0.get($1) }),
        EndlessUse(.refusal, api: "CONNECT", proxy: .http, repeating { try await _ = $0.get($1) }),
        EndlessUse(.socks, api: "SOCKS 5", proxy: .socks, repeating { try await _ = $0.get($1) }),
    ]
}
