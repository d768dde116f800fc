import Glibc
import Sockeye
import SockeyeCore
import SockeyeNet
import SockeyeTesting
import Synchronization

/// A server in this process that answers requests with the bytes of an input, over unix-domain sockets.
///
/// ```swift
/// let script = FuzzServer.Script(answers: input.answers.map { [$0] }, ending: .closes)
/// let client = HTTPClient(configuration: FuzzServer.shared.configuration(for: script))
/// ```
///
/// Each request head takes the next answer of the script, on any connection. A connection that sends another protocol
/// than HTTP, such as a TLS handshake, takes an answer with its first byte.
final class FuzzServer: Sendable {
    /// The server's answers in one run of a target.
    struct Script: Sendable {
        enum Ending: Sendable {
            /// The server shuts down its sending direction after each answer, and reads the remaining bytes of the
            /// client.
            case closes
            /// The connection stays open for further requests, and ends when there are no more answers.
            case keepsAlive
            /// Like `keepsAlive`, but a request without an answer waits until the client leaves.
            case silent
        }

        /// The writes of each answer.
        var answers: [[ArraySlice<UInt8>]]
        var ending: Ending
    }

    private final class Progress: Sendable {
        let script: Script
        private let next = Atomic(0)

        init(_ script: Script) { self.script = script }

        /// Returns the next answer, or nil after the last one.
        func take() -> [ArraySlice<UInt8>]? {
            let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
            return index < script.answers.count ? script.answers[index] : nil
        }
    }

    static let shared = FuzzServer()
    /// The roots of a test authority, because loading the system's roots would take most of a run.
    private static let roots = try? TestCertificateAuthority().roots

    private let poller: EventPoller
    private let address: EndpointAddress
    private let progress = Mutex<Progress?>(nil)

    private init() {
        guard let address = EndpointAddress(unixPath: "\0sockeye-fuzz-\(getpid())"), let poller = try? EventPoller(),
            let listener = try? Listener(address: address, poller: poller)
        else { fatalError("no unix-domain socket to listen on") }
        (self.address, self.poller) = (address, poller)
        Task(executorPreference: poller) { [self] in
            await withDiscardingTaskGroup { group in
                while let socket = try? await listener.accept() {
                    let progress = progress.withLock { $0 }
                    group.addTask { await Self.serve(socket, progress) }
                }
            }
        }
    }

    /// Returns the configuration of a client that connects only to this server, whose answers come from `script` from
    /// now on. Names resolve to the server's socket, and other addresses are refused.
    func configuration(for script: Script) -> HTTPClient.Configuration {
        progress.withLock { $0 = Progress(script) }
        var configuration = HTTPClient.Configuration()
        configuration.resolver = OneAddress(address: address)
        let address = address
        configuration.addressPolicy = EndpointAddress.Policy { $0 == address }
        if let roots = Self.roots { configuration.tls.roots = roots }
        return configuration
    }

    private struct OneAddress: NameResolver {
        let address: EndpointAddress

        func resolve(_: String, port _: Int) async throws -> [EndpointAddress] { [address] }
    }

    private static func serve(_ socket: SocketStream, _ progress: Progress?) async {
        let connection = TestConnection(index: 0, socket: socket, stream: socket)
        if let progress { try? await serve(connection, progress) }
        connection.close()
    }

    private static func serve(_ connection: TestConnection, _ progress: Progress) async throws {
        while try await readHead(connection) {
            guard let answer = progress.take() else {
                if progress.script.ending == .silent { try await connection.discardToEnd() }
                return
            }
            for piece in answer {
                try await connection.write(Bytes(piece))
                // Gives the client time to read this piece in a separate read.
                if answer.count > 1 { await Task.yield() }
            }
            guard progress.script.ending == .closes else { continue }
            try await connection.closeWrite()
            try await connection.discardToEnd()
        }
    }

    /// Reads a request head or the beginning of another protocol, and returns whether there was one.
    private static func readHead(_ connection: TestConnection) async throws -> Bool {
        guard let first = try await connection.read(upTo: 1) else { return false }
        guard first[0] != 0x16 else { return true }
        return try await connection.read(through: "\r\n\r\n") != nil
    }
}

extension FuzzInput {
    /// A line that ends an answer and begins the next one.
    static let mark = Array("\n====\n".utf8)

    /// The answers in the rest of the input, each in one piece.
    var answers: [ArraySlice<UInt8>] {
        let bytes = self.bytes
        var answers: [ArraySlice<UInt8>] = []
        var start = 0
        var index = 0
        while index + Self.mark.count <= bytes.count {
            if bytes[index..<index + Self.mark.count].elementsEqual(Self.mark) {
                answers.append(bytes[start..<index])
                index += Self.mark.count
                start = index
            } else {
                index += 1
            }
        }
        return answers + [bytes[start...]]
    }
}
