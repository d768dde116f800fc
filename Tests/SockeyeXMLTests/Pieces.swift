#if XML
import Sockeye
import SockeyeTesting
import SockeyeXML
import Testing

/// A body in pieces.
struct Pieces: AsyncSequence, Sendable {
    let pieces: [[UInt8]]

    init(_ pieces: [[UInt8]]) {
        self.pieces = pieces
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        var rest: ArraySlice<[UInt8]>

        mutating func next() async -> [UInt8]? { rest.popFirst() }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: pieces[...]) }
}

/// One piece repeated, between a first and a last piece.
struct Repeated: AsyncSequence, Sendable {
    let first: [UInt8]
    let piece: [UInt8]
    let count: Int
    let last: [UInt8]

    struct AsyncIterator: AsyncIteratorProtocol {
        let pieces: Repeated
        var index = -1

        mutating func next() async -> [UInt8]? {
            defer { index += 1 }
            if index < 0 { return pieces.first }
            return index < pieces.count ? pieces.piece : index == pieces.count ? pieces.last : nil
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pieces: self) }
}

/// Reads the events of a document, which must take little memory.
///
/// - Parameter elements: The number of elements in the document.
func expectSmallEvents(of document: Repeated, elements: Int) async throws {
    let client = HTTPClient(transport: MockTransport { _ in .stream(document, headers: [.contentType: "text/xml"]) })
    var (count, highest) = (0, 0)
    let before = HeapUsage.current()
    for try await event in try await client.get("http://example.com/", as: .xmlEvents) {
        guard case .endElement = event else { continue }
        count += 1
        if count.isMultiple(of: 10_000) { highest = max(highest, HeapUsage.current() - before) }
    }
    #expect(count == elements)
    #expect(highest < 8 << 20)
}
#endif
