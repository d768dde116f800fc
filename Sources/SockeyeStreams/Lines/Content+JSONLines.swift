import SockeyeCore
import SockeyeEngine
public import SockeyeEssentials

extension HTTPClient.Content {
    /// Values as JSON, one per line (NDJSON, JSON Lines), encoded while they are sent.
    ///
    /// Each value is sent as soon as the sequence delivers it; a slow peer slows the sequence down.
    ///
    /// ```swift
    /// try await client.post("logs", .jsonLines(entries))
    /// ```
    ///
    /// A value that cannot be encoded, or an error of the sequence, fails the call with
    /// ``/Sockeye/SockeyeError/Code-swift.struct/bodyFailed``.
    ///
    /// - Parameters:
    ///   - values: The values to send.
    ///   - encoder: An encoder with the formatting and strategies to use. Default nil: an encoder with its default
    ///     settings. Line feeds and carriage returns in an encoded value become spaces, so that each value takes
    ///     one line.
    ///   - contentType: The value of Content-Type. Default `application/x-ndjson`.
    ///   - isReplayable: True if the sequence can be iterated again from the start. Default false.
    public static func jsonLines<Values: AsyncSequence & Sendable>(
        _ values: Values, encoder: JSONEncoder? = nil, contentType: String? = "application/x-ndjson",
        isReplayable: Bool = false
    ) -> Self where Values.Element: Encodable {
        .stream(
            JSONLineChunks(base: values, encoder: JSONLineEncoder(encoder)), contentType: contentType,
            isReplayable: isReplayable)
    }

    /// Values in memory as JSON, one per line, encoded while they are sent, about 16 KiB at a time.
    ///
    /// See ``jsonLines(_:encoder:contentType:isReplayable:)-(Values,_,_,_)``.
    public static func jsonLines<Values: Sequence & Sendable>(
        _ values: Values, encoder: JSONEncoder? = nil, contentType: String? = "application/x-ndjson",
        isReplayable: Bool = false
    ) -> Self where Values.Element: Encodable {
        .stream(
            GatheredJSONLines(base: values, encoder: JSONLineEncoder(encoder)), contentType: contentType,
            isReplayable: isReplayable)
    }

    /// The values of a collection as JSON, one per line, encoded while they are sent. The content is replayable.
    public static func jsonLines<Values: Collection & Sendable>(
        _ values: Values, encoder: JSONEncoder? = nil, contentType: String? = "application/x-ndjson"
    ) -> Self where Values.Element: Encodable {
        .stream(
            GatheredJSONLines(base: values, encoder: JSONLineEncoder(encoder)), contentType: contentType,
            isReplayable: true)
    }
}

/// An encoder of values to lines of JSON.
private struct JSONLineEncoder: Sendable {
    private let encoder: JSONEncoder

    init(_ encoder: JSONEncoder?) { self.encoder = encoder ?? JSONParameterFormat.plain }

    func append(_ value: some Encodable, to lines: inout [UInt8]) throws {
        let start = lines.count
        lines.append(contentsOf: try encoder.encode(value))
        // In JSON a line feed or carriage return occurs only between tokens, where a space is equivalent.
        for index in start..<lines.count where lines[index] == 0x0A || lines[index] == 0x0D { lines[index] = 0x20 }
        lines.append(0x0A)
    }
}

/// A sequence with each value in a chunk of its own, since the next value may come much later.
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

/// A sequence with several values in each piece, because a piece for each value would cost many small writes.
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
