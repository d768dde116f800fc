import SockeyeCore
import SockeyeTesting

/// The way in which a server writes its bytes: one write for each piece.
enum Cutting: Sendable, Hashable, CustomStringConvertible {
    case whole
    case byteByByte
    case twoPieces(at: Int)

    /// Writes `bytes` in these pieces. The socket does not delay small packets. Between two pieces other tasks run, so
    /// that the client usually sees the first piece alone.
    func send(_ bytes: Bytes, over connection: TestConnection) async throws {
        switch self {
        case .whole:
            try await connection.write(bytes)
        case .byteByByte:
            for index in 0..<bytes.count { try await connection.write(bytes.slice(index..<index + 1)) }
        case .twoPieces(let cut):
            try await connection.write(bytes.slice(0..<cut))
            for _ in 0..<8 { await Task.yield() }
            try await connection.write(bytes.slice(cut..<bytes.count))
        }
    }

    /// Returns the cuttings: whole, byte by byte, and in two pieces at up to `cuts` evenly spread places of `count`
    /// bytes.
    static func all(of count: Int, cuts: Int) -> [Cutting] {
        let stride = max(1, count / max(1, cuts))
        let places = Swift.stride(from: 1, to: max(1, count), by: stride)
        return [.whole, .byteByByte] + places.map { .twoPieces(at: $0) }
    }

    var description: String {
        switch self {
        case .whole: "whole"
        case .byteByByte: "byte by byte"
        case .twoPieces(let cut): "cut at \(cut)"
        }
    }
}
