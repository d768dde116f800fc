import SockeyeCore
import SockeyeTestSupport
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

    /// Returns the cuttings in two pieces: at each of the first and last 16 places of `count` bytes, and at about
    /// `cuts` evenly spread places.
    static func halves(of count: Int, cuts: Int) -> [Cutting] {
        let stride = max(1, count / max(1, cuts))
        let places = (1..<max(1, count)).filter { $0 <= 16 || $0 > count - 16 || $0.isMultiple(of: stride) }
        return places.map { .twoPieces(at: $0) }
    }

    /// Returns the cuttings in two pieces before, within and after each line end, and at up to eight random places.
    static func halves(around bytes: [UInt8], _ random: inout SplitMix) -> [Cutting] {
        guard bytes.count > 1 else { return [] }
        let isEnd = { (byte: UInt8) in byte == 13 || byte == 10 }
        let ends = (1..<bytes.count).filter { isEnd(bytes[$0 - 1]) || isEnd(bytes[$0]) }
        let others = (0..<8).map { _ in Int.random(in: 1..<bytes.count, using: &random) }
        return Set(ends + others).sorted().map { .twoPieces(at: $0) }
    }

    var description: String {
        switch self {
        case .whole: "whole"
        case .byteByByte: "byte by byte"
        case .twoPieces(let cut): "cut at \(cut)"
        }
    }
}
