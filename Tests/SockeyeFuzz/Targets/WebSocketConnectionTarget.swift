import Dispatch
import SockeyeCore
import SockeyeNet
import SockeyeTesting
import SockeyeWebSocket
import Synchronization

/// A complete WebSocket connection over a pipe, with any bytes from the server after the opening handshake.
///
/// Each call must end in time, and the messages must not depend on how the bytes are cut.
enum WebSocketConnectionTarget {
    /// The caller's use of the connection.
    private enum Use: CaseIterable {
        /// Receives all messages as a whole.
        case messages
        /// Receives each message in pieces.
        case pieces
        /// Receives the first piece of each message and discards the rest.
        case firstPieces
        /// Sends a ping and receives all messages.
        case ping
        /// Makes the closing handshake.
        case close
    }

    static let connections: FuzzTarget = { bytes in
        var input = FuzzInput(bytes)
        let use = Use.allCases[input.choice(below: Use.allCases.count)]
        let direction = DeflateDirection(windowBits: 8 + input.choice(below: 8), keepsContext: input.flag())
        let agreement = OpeningHandshake.Agreement(
            compression: input.flag() ? DeflateAgreement(client: direction, server: direction) : nil)
        let limit = [1 << 20, 1000, 10, 0][input.choice(below: 4)]
        let fragment = 1 + input.choice(below: 64)
        let stutters = input.flag()
        let whole = run(input.bytes, use, agreement, limit, PipeStream.Manner(capacity: 1 << 20))
        let cut = run(
            input.bytes, use, agreement, limit,
            PipeStream.Manner(capacity: 1 << 20, fragment: fragment, stutters: stutters))
        // The size of a message's first piece depends on the cuts, and the moment of a ping or Close depends on time.
        guard use == .messages || use == .pieces else { return }
        require(whole == cut, "messages depend on how they are cut: \(whole), \(cut)")
    }

    private static func run(
        _ bytes: [UInt8], _ use: Use, _ agreement: OpeningHandshake.Agreement, _ limit: Int,
        _ manner: PipeStream.Manner
    ) -> [String] {
        let result = Mutex<[String]?>(nil)
        let isDone = DispatchSemaphore(value: 0)
        Task.detached {
            let lines = await serve(bytes, use, agreement, limit, manner)
            result.withLock { $0 = lines }
            isDone.signal()
        }
        // Far longer than all deadlines below.
        require(isDone.wait(timeout: .now() + 3) == .success, "a connection that does not end, used for \(use)")
        return result.withLock { $0 } ?? []
    }

    private static func serve(
        _ bytes: [UInt8], _ use: Use, _ agreement: OpeningHandshake.Agreement, _ limit: Int,
        _ manner: PipeStream.Manner
    ) async -> [String] {
        guard let (client, server) = try? PipeStream.pair(manner) else { return [] }
        var rest = bytes[...]
        while !rest.isEmpty {
            // A stuttering pipe refuses every second call.
            if case .bytes(let count) = unsafe rest.withUnsafeBytes({ unsafe server.write($0) }) {
                rest = rest.dropFirst(count)
            }
        }
        _ = server.closeWrite()
        var options = WebSocketConnection.Options(
            limits: .init(messageBytes: limit, streamedBytes: limit, discardedBytes: limit), keepAlive: nil)
        options.closeTimeout = .milliseconds(100)
        let socket = WebSocketConnection(
            over: client, early: Bytes(), owner: server, role: .client, options: options, agreement: agreement,
            stall: .milliseconds(100))
        var lines: [String] = []
        do {
            try await socket.run { socket in
                lines = await read(socket, by: use, limit)
            }
        } catch {
            lines.append("thrown: \(error)")
        }
        return lines
    }

    private static func read(_ socket: WebSocketConnection, by use: Use, _ limit: Int) async -> [String] {
        var lines: [String] = []
        do throws(WebSocketError) {
            switch use {
            case .messages, .ping:
                if use == .ping {
                    lines.append((try? await socket.ping(timeout: .milliseconds(100))) == nil ? "no pong" : "pong")
                }
                for try await message in socket.messages { lines.append(text(of: message, limit)) }
            case .pieces:
                while let message = try await socket.receive() {
                    let bytes = try await message.bytes(upTo: .max)
                    require(bytes.count <= limit, "a message of \(bytes.count) bytes")
                    lines.append("\(message.kind) \(Array(bytes))")
                }
            case .firstPieces:
                while let message = try await socket.receive() {
                    var pieces = message.makeAsyncIterator()
                    _ = try await pieces.next()
                }
            case .close: try await socket.close()
            }
            lines.append("end")
        } catch {
            // The amount of input that zlib gets at once determines which of these errors comes first.
            let isRefused = error.code == .limitExceeded || error.closeStatus == nil && error.code == .protocolViolation
            lines.append(isRefused ? "refused" : "\(error.code)")
        }
        return lines
    }

    private static func text(of message: WebSocketConnection.Message, _ limit: Int) -> String {
        switch message {
        case .text(let text):
            require(text.utf8.count <= limit, "a text of \(text.utf8.count) bytes")
            return "text \(Array(text.utf8))"
        case .binary(let bytes):
            require(bytes.count <= limit, "a message of \(bytes.count) bytes")
            return "binary \(Array(bytes))"
        }
    }
}
