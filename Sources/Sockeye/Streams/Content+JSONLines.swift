public import FoundationEssentials
import SockeyeCore
import SockeyeEngine

extension HTTPClient.Content {
    /// Values as JSON, one a line (NDJSON, JSON Lines), made while they are sent: each as soon as it is there, and no faster than the
    /// peer takes them.
    ///
    /// ```swift
    /// try await client.post("logs", .jsonLines(entries))
    /// ```
    ///
    /// A value that cannot be encoded, and an error of the sequence, end the call with
    /// ``SockeyeError/Code-swift.struct/bodyFailed``.
    ///
    /// - Parameters:
    ///   - values: What is sent.
    ///   - encoder: Formatting and strategies; nil, the default, for none. Line feeds of its formatting become spaces.
    ///   - contentType: What Content-Type says. Default `application/x-ndjson`.
    ///   - isReplayable: Whether the sequence can be iterated again from the start. Default false.
    public static func jsonLines<Values: AsyncSequence & Sendable>(
        _ values: Values, encoder: JSONEncoder? = nil, contentType: String? = "application/x-ndjson",
        isReplayable: Bool = false
    ) -> Self where Values.Element: Encodable {
        .stream(
            JSONLineChunks(base: values, encoder: JSONLineEncoder(encoder)), contentType: contentType,
            isReplayable: isReplayable)
    }

    /// Values in memory as JSON, one a line, made while they are sent, some 16 KiB at a time.
    /// See ``jsonLines(_:encoder:contentType:isReplayable:)-(Values,_,_,_)``.
    public static func jsonLines<Values: Sequence & Sendable>(
        _ values: Values, encoder: JSONEncoder? = nil, contentType: String? = "application/x-ndjson",
        isReplayable: Bool = false
    ) -> Self where Values.Element: Encodable {
        .stream(
            GatheredJSONLines(base: values, encoder: JSONLineEncoder(encoder)), contentType: contentType,
            isReplayable: isReplayable)
    }

    /// The values of a collection as JSON, one a line, as those of a sequence are. Can be sent again.
    public static func jsonLines<Values: Collection & Sendable>(
        _ values: Values, encoder: JSONEncoder? = nil, contentType: String? = "application/x-ndjson"
    ) -> Self where Values.Element: Encodable {
        .stream(
            GatheredJSONLines(base: values, encoder: JSONLineEncoder(encoder)), contentType: contentType,
            isReplayable: true)
    }
}

/// An encoder of values that are lines.
private struct JSONLineEncoder: Sendable {
    private let encoder: JSONEncoder

    init(_ encoder: JSONEncoder?) { self.encoder = encoder ?? JSONParameterFormat.plain }

    func append(_ value: some Encodable, to lines: inout [UInt8]) throws {
        let start = lines.count
        lines.append(contentsOf: try encoder.encode(value))
        // In JSON a line feed stands between tokens only, where it means as much as a space.
        for index in start..<lines.count where lines[index] == 0x0A || lines[index] == 0x0D { lines[index] = 0x20 }
        lines.append(0x0A)
    }
}

/// Each value as a chunk of its own, since nobody knows when the next one comes.
private struct JSONLineChunks<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable where Base.Element: Encodable {
    let base: Base
    let encoder: JSONLineEncoder

    func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator(), encoder: encoder) }

    struct Iterator: AsyncIteratorProtocol {
        var base: Base.AsyncIterator
        let encoder: JSONLineEncoder

        mutating func next() async throws -> [UInt8]? { try await next(isolation: #isolation) }

        mutating func next(isolation actor: isolated (any Actor)?) async throws -> [UInt8]? {
            guard let value = try await base.next(isolation: actor) else { return nil }
            var line: [UInt8] = []
            try encoder.append(value, to: &line)
            return line
        }
    }
}

/// Values in pieces, since each piece is a write.
private struct GatheredJSONLines<Base: Sequence & Sendable>: AsyncSequence, Sendable where Base.Element: Encodable {
    private static var pieceSize: Int { 16 << 10 }

    let base: Base
    let encoder: JSONLineEncoder

    func makeAsyncIterator() -> Iterator { Iterator(base: base.makeIterator(), encoder: encoder) }

    struct Iterator: AsyncIteratorProtocol {
        var base: Base.Iterator
        let encoder: JSONLineEncoder

        mutating func next() async throws -> [UInt8]? {
            var piece: [UInt8] = []
            while piece.count < pieceSize, let value = base.next() { try encoder.append(value, to: &piece) }
            return piece.isEmpty ? nil : piece
        }
    }
}
