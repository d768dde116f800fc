import SockeyeCore
import SockeyeHTTP
import SockeyeWebSocket

/// Frames of peers over a WebSocket, and the fields of its handshake.
enum WebSocketTargets {
    /// Reads frames. The events must not depend on how the bytes are cut, and they must respect the limits. Pieces have
    /// a bounded size, and text messages are valid UTF-8.
    static let frames: FuzzTarget = { bytes in
        var input = FuzzInput(bytes)
        let role: Role = input.flag() ? .client : .server
        let direction = DeflateDirection(windowBits: 8 + input.choice(below: 8), keepsContext: input.flag())
        let compression = input.flag() ? direction : nil
        let limit = [1 << 20, 1000, 10, 0][input.choice(below: 4)]
        let pieces = input.pieces()
        let whole = read([input.bytes[...]], role, limit, compression)
        let cut = read(pieces, role, limit, compression)
        require(whole == cut, "frames depend on how they are cut: \(whole), \(cut)")
    }

    private static func read(
        _ pieces: [ArraySlice<UInt8>], _ role: Role, _ limit: Int, _ compression: DeflateDirection?
    ) -> [String] {
        var machine = InboundMachine(role: role, messageLimit: limit, compression: compression)
        var (events, message, kind): ([String], [UInt8], WebSocketConnection.Kind) = ([], [], .binary)
        do throws(ProtocolFault) {
            for piece in pieces {
                machine.push(Bytes(piece))
                while let event = try machine.next() {
                    switch event {
                    case .message(let new): (kind, message) = (new, [])
                    case .piece(let piece):
                        require((1...(256 << 10)).contains(piece.count), "a piece of \(piece.count) bytes")
                        message += piece
                        require(message.count <= limit, "a message of \(message.count) bytes")
                    case .end:
                        if kind == .text { require(String(validating: message, as: UTF8.self) != nil, "no UTF-8") }
                        events.append("\(kind) \(message)")
                    case .ping(let payload), .pong(let payload):
                        require(payload.count <= 125, "a control frame of \(payload.count) bytes")
                        events.append("\(event) \(Array(payload))")
                    case .close(let status):
                        require(status.payload != nil, "a Close that may not be sent")
                        events.append("close \(status.code?.rawValue ?? 0) \(status.reason)")
                    }
                }
            }
        } catch {
            // The amount of input that zlib gets at once determines which of these errors comes first.
            switch error {
            case .badCompression, .messageTooLarge, .invalidText: events.append("a message that is refused")
            default: events.append("\(error)")
            }
            do throws(ProtocolFault) {
                _ = try machine.next()
                require(false, "a fault was followed by events")
            } catch {}
        }
        return events
    }

    /// Makes a message that the other role must read unchanged, and parses extension fields of the handshake.
    static let messages: FuzzTarget = { bytes in
        var input = FuzzInput(bytes)
        let direction = DeflateDirection(windowBits: 9 + input.choice(below: 7), keepsContext: input.flag())
        let role: Role = input.flag() ? .client : .server
        let (isWhole, compresses) = (input.flag(), input.flag())
        var machine = OutboundMachine(
            role: role, fragmentSize: 1 + input.choice(below: 256), compression: direction,
            level: 1 + input.choice(below: 9))
        var receiver = InboundMachine(role: role == .client ? .server : .client, compression: direction)
        let pieces = isWhole ? [input.bytes[...]] : input.pieces()
        machine.begin(.binary, compressing: compresses)
        var received: [UInt8] = []
        do {
            for (index, piece) in pieces.enumerated() {
                machine.append(Bytes(piece), isLast: index == pieces.count - 1)
                try machine.fill()
                while !machine.output.isEmpty {
                    let wire = unsafe machine.output.withUnsafeBytes { unsafe Bytes(Array($0)) }
                    machine.output.consume(wire.count)
                    receiver.push(wire)
                    while let event = try receiver.next() {
                        if case .piece(let piece) = event { received += piece }
                    }
                    try machine.fill()
                }
            }
        } catch {
            require(false, "\(error)")
        }
        require(received == Array(pieces.joined()), "a message arrived changed")
        if let elements = ExtensionElement.parse([input.text]) {
            _ = elements.map { DeflateAgreement(answer: $0, to: DeflateAgreement()) }
            let again = ExtensionElement.parse([elements.map(\.text).joined(separator: ", ")])
            require(again == elements, "written extensions parse differently")
            if let accepted = DeflateAgreement.accepting(elements, wanted: DeflateAgreement()) {
                require(
                    ExtensionElement.parse([accepted.answer.text]) == [accepted.answer],
                    "an invalid answer to an extension offer")
            }
        }
    }
}
