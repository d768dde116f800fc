import SockeyeCore
import SockeyeWebSocket

/// Frames as bytes, including forbidden ones.
struct Wire {
    static let key: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]

    /// Returns a frame byte by byte, independently of the library's encoder.
    ///
    /// - Parameters:
    ///   - length: The length that the frame announces; nil for the payload's own length.
    ///   - form: The size of the length in bits: 7, 16 or 64; nil for the shortest that holds the length.
    static func frame(
        _ opcode: UInt8, _ payload: [UInt8] = [], isFinal: Bool = true, reserved: UInt8 = 0, masked: Bool = false,
        length: UInt64? = nil, form: Int? = nil
    ) -> [UInt8] {
        let length = length ?? UInt64(payload.count)
        let form = form ?? (length < 126 ? 7 : length < 65536 ? 16 : 64)
        var bytes: [UInt8] = [(isFinal ? 0x80 : 0) | reserved << 4 | opcode]
        let bit: UInt8 = masked ? 0x80 : 0
        switch form {
        case 7: bytes.append(bit | UInt8(length))
        case 16: bytes += [bit | 126, UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF)]
        default: bytes += [bit | 127] + (0..<8).map { UInt8(length >> (56 - 8 * UInt64($0)) & 0xFF) }
        }
        guard masked else { return bytes + payload }
        return bytes + key + payload.enumerated().map { $1 ^ key[$0 % 4] }
    }

    static func close(_ code: UInt16, _ reason: [UInt8] = [], masked: Bool = false) -> [UInt8] {
        frame(8, [UInt8(code >> 8), UInt8(code & 0xFF)] + reason, masked: masked)
    }
}

/// The result of reading bytes: the events, with the pieces of a message joined, and the final fault.
struct Reading: Hashable, CustomStringConvertible {
    var events: [String] = []
    var fault: ProtocolFault?

    var description: String { events.joined(separator: ", ") + (fault.map { " ! \($0)" } ?? "") }

    init(_ events: [String], _ fault: ProtocolFault? = nil) {
        self.events = events
        self.fault = fault
    }

    /// Reads the pieces with a machine.
    init(
        _ pieces: [[UInt8]], role: Role = .client, frameLimit: Int = .max, messageLimit: Int = .max,
        compression: DeflateDirection? = nil
    ) {
        var machine = InboundMachine(
            role: role, frameLimit: frameLimit, messageLimit: messageLimit, compression: compression)
        var message: [UInt8] = []
        do throws(ProtocolFault) {
            for piece in pieces {
                machine.push(Bytes(piece))
                while let event = try machine.next() {
                    switch event {
                    case .message(let kind):
                        events.append("\(kind)")
                        message = []
                    case .piece(let bytes): message += bytes
                    case .end: events.append(Self.text(message))
                    case .ping(let payload): events.append("ping \(Self.text(Array(payload)))")
                    case .pong(let payload): events.append("pong \(Self.text(Array(payload)))")
                    case .close(let status): events.append("close \(status.code?.rawValue ?? 1005) \(status.reason)")
                    }
                }
            }
        } catch {
            fault = error
        }
    }

    private static func text(_ bytes: [UInt8]) -> String {
        bytes.count > 64
            ? "\(bytes.count) bytes of \(bytes.reduce(0) { $0 &+ Int($1) })" : String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the results of reading the bytes whole, byte by byte, and cut at every index; one element if all are
    /// equal.
    static func ofEveryCut(
        _ bytes: [UInt8], role: Role = .client, frameLimit: Int = .max, messageLimit: Int = .max,
        compression: DeflateDirection? = nil
    ) -> Set<Reading> {
        func read(_ pieces: [[UInt8]]) -> Reading {
            Reading(
                pieces, role: role, frameLimit: frameLimit, messageLimit: messageLimit, compression: compression)
        }
        var readings: Set<Reading> = [read([bytes]), read(bytes.map { [$0] })]
        for cut in stride(from: 0, through: bytes.count, by: max(1, bytes.count / 300)) {
            readings.insert(read([Array(bytes[..<cut]), Array(bytes[cut...])]))
        }
        return readings
    }
}
