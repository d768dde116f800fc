import SockeyeCore
import SockeyeEngine
import SockeyeNet
import SockeyeTestSupport
import Testing

@testable import SockeyeWebSocket

/// The reader of a socket whose peer never pauses, and another task on the same thread.
@Suite("Turns of a WebSocket reader", .timeLimit(.minutes(1))) struct SocketTurnTests {
    /// A way to read endless frames, and the most that it may read before other tasks run.
    struct Use: Sendable, CustomTestStringConvertible {
        typealias Reading = @Sendable (WebSocketConnection, (Int) -> Void) async throws -> Void

        let testDescription: String
        let frames: EndlessAnswer
        /// The limit in units; nil if the limit is in bytes read from the connection.
        var units: Int?
        /// The limit in bytes read from the connection. A read may exceed the budget of bytes.
        var bytes = (SharedThread.turns + 1) * (TurnBudget.bytes + 256 << 10)
        var agreement = OpeningHandshake.Agreement()
        let read: Reading
    }

    private static let messages: Use.Reading = { socket, count in
        for try await _ in socket.messages { count(1) }
    }

    private static let close: Use.Reading = { socket, _ in try await socket.close() }

    private static let pieces = EndlessAnswer(
        "frames of a byte", start: [0x02, 0x01, 0x61], block: EndlessAnswer.block(of: [0x00, 0x01, 0x61]))

    private static let behindClose = EndlessAnswer(
        "messages behind Close", start: [0x88, 0x02, 0x03, 0xE8], block: EndlessAnswer.smallMessages.block)

    /// More than the frames of all turns take, which is a few KiB, and less than the budget of bytes of one turn.
    private static let fewReads = 512 << 10

    static let uses = [
        Use(testDescription: "small messages", frames: .smallMessages, units: TurnBudget.units, read: messages),
        Use(testDescription: "a message of almost empty frames", frames: .emptyFrames, bytes: fewReads, read: messages),
        Use(testDescription: "pings", frames: .pings, bytes: fewReads, read: messages),
        Use(testDescription: "the rest of a message that is skipped", frames: .longMessage) { socket, _ in
            _ = try await socket.receive()
            _ = try await socket.receive()
        },
        Use(testDescription: "pieces of a message", frames: pieces, units: TurnBudget.units) { socket, count in
            guard let message = try await socket.receive() else { return }
            for try await _ in message { count(1) }
        },
        Use(testDescription: "messages instead of Close", frames: .smallMessages, bytes: fewReads, read: close),
        Use(testDescription: "bytes behind Close", frames: behindClose) { socket, _ in
            await socket.end(.normal)
        },
    ]

    @Test("a reader lets other tasks run after a budget, and ends when it is cancelled", arguments: uses)
    func turns(use: Use) async throws { try await check(use) }

    @Test("a reader counts decompressed bytes for its budget", arguments: ["messages", "messages instead of Close"])
    func decompressed(description: String) async throws {
        let isClosing = description == "messages instead of Close"
        try await check(
            Use(
                testDescription: description, frames: Self.compressedMessages(), bytes: 256 << 10,
                agreement: Self.compression, read: isClosing ? Self.close : Self.messages))
    }

    @Test("decompressed bytes that arrive instead of Close are discarded up to the limit")
    func discarded() async throws {
        let connection = try EndlessConnection(
            Self.compressedMessages(), end: 50_000, waits: false, poller: EventPoller.shared())
        let socket = socket(over: connection, Self.compression, discarding: 100_000)
        let error = await #expect(throws: WebSocketError.self) { try await socket.close() }
        #expect(error?.code == .limitExceeded && error?.limit == 100_000, "\(String(describing: error))")
    }

    private static let compression = OpeningHandshake.Agreement(
        compression: DeflateAgreement(server: DeflateDirection(keepsContext: false)))

    /// Returns messages of 1 MiB, each compressed to about 1 KiB.
    private static func compressedMessages() throws -> EndlessAnswer {
        var machine = OutboundMachine(
            role: .server, fragmentSize: 1 << 20, compression: DeflateDirection(keepsContext: false))
        machine.begin(.binary, compressing: true)
        machine.append(Bytes([UInt8](repeating: 0, count: 1 << 20)), isLast: true)
        let message = try SendingTests.bytes(of: &machine)
        return EndlessAnswer("compressed messages", start: Bytes(), block: EndlessAnswer.block(of: message))
    }

    private func socket(
        over connection: EndlessConnection, _ agreement: OpeningHandshake.Agreement, discarding limit: Int = .max
    ) -> WebSocketConnection {
        var options = WebSocketConnection.Options(
            limits: .init(messageBytes: .max, discardedBytes: limit), keepAlive: nil)
        options.closeTimeout = .seconds(60)
        return WebSocketConnection(
            over: connection, early: Bytes(), owner: connection, role: .client, options: options,
            agreement: agreement, stall: nil)
    }

    private func check(_ use: Use) async throws {
        let connection = try EndlessConnection(
            use.frames, end: 8 << 20, waits: false, poller: EventPoller.shared())
        let socket = socket(over: connection, use.agreement)
        let isOfUnits = use.units != nil
        let (most, outcome) = try await SharedThread.cancel { count in
            do {
                try await use.read(socket) { if isOfUnits { count($0) } }
            } catch {
                #expect((error as? WebSocketError)?.code == .cancelled, "\(error)")
                throw error
            }
        }
        if let units = use.units { #expect(most <= 2 * units) }
        #expect(connection.position < use.bytes)
        withExtendedLifetime(outcome) {}
    }
}
