import HTTPTypes
import SockeyeCore
import SockeyeEngine
import SockeyeHTTP
import SockeyeTestSupport

/// Answers of servers. The result must not depend on how the bytes are cut.
enum ResponseTargets {
    /// Parses one response head.
    static let head: FuzzTarget = { bytes in
        var input = FuzzInput(bytes)
        var limits = HTTP1Limits()
        if input.flag() { (limits.headBytes, limits.fieldCount) = (200, 5) }
        let isLenient = input.flag()
        let pieces = input.pieces()
        let whole = parse([input.bytes[...]], limits, isLenient)
        require(whole == parse(pieces, limits, isLenient), "a head depends on how it is cut")
        guard case .success(let summary?) = whole else { return }
        let head = ResponseHead(bytes: Bytes(input.bytes[..<summary.byteCount]), summary: summary)
        let fields = head.makeFields()
        require(fields.count == summary.fieldCount, "\(summary.fieldCount) fields, \(fields.count) made")
        require((100...999).contains(head.status) && head.reason.utf8.count <= 3 * bytes.count, "a status line")
        for field in fields {
            _ = (head.values(of: field.name), head.rawValues(of: field.name))
        }
    }

    private static func parse(
        _ pieces: [ArraySlice<UInt8>], _ limits: HTTP1Limits, _ isLenient: Bool
    ) -> Result<ResponseHeadSummary?, PeerFault> {
        var parser = ResponseHeadParser(limits: limits, allowsBareLF: isLenient)
        return Result { () throws(PeerFault) in
            var received: [UInt8] = []
            for piece in pieces {
                received += piece
                if let summary = try parser.parse(received.span) { return summary }
            }
            return nil
        }
    }

    /// Reads everything that arrives on a connection after one request, with the engine.
    static let exchange: FuzzTarget = { bytes in
        var input = FuzzInput(bytes)
        var exchange = EngineExchange(method: ["GET", "HEAD", "CONNECT", "POST"][input.choice(below: 4)])
        let style = input.choice(below: 8)
        if style & 1 != 0 { exchange.tolerances = [.bareLineFeeds] }
        (exchange.expectsContinue, exchange.upgrades) = (style & 2 != 0, style & 4 != 0)
        let pieces = input.pieces()
        let whole = run(exchange, [input.bytes[...]])
        let cut = run(exchange, pieces)
        require(whole == cut, "an exchange depends on how its bytes are cut: \(whole) \(cut)")
        require(!whole.lacksContent && !cut.lacksContent, "reuse of a connection before the body was sent")
        require(whole.body.count <= bytes.count, "more body than bytes")
        if whole.isReusable { require(whole.error == nil && !whole.handedOver, "reuse of a bad connection") }
    }

    private static func run(_ exchange: EngineExchange, _ pieces: [ArraySlice<UInt8>]) -> EngineExchange.Outcome {
        FuzzRun.value { await exchange.run(pieces) }
    }

    /// Decodes a chunked body, and encodes and decodes the same bytes.
    static let chunks: FuzzTarget = { bytes in
        var input = FuzzInput(bytes)
        let pieces = input.pieces()
        let whole = decode([input.bytes[...]])
        require(whole == decode(pieces), "a chunked body depends on how it is cut")
        let coded = encode(pieces)
        let again = decode(pieces.isEmpty ? [coded[...]] : pieces.indices.map { part(of: coded, $0, pieces.count) })
        require(
            again.body == input.bytes && again.isComplete && again.fault == nil, "encoded chunks decode to another body"
        )
    }

    private static func part(of coded: [UInt8], _ index: Int, _ count: Int) -> ArraySlice<UInt8> {
        coded[coded.count * index / count..<coded.count * (index + 1) / count]
    }

    private static func encode(_ pieces: [ArraySlice<UInt8>]) -> [UInt8] {
        var coded: [UInt8] = []
        for piece in pieces {
            let start = unsafe [UInt8](unsafeUninitializedCapacity: ChunkedEncoder.capacity) { buffer, count in
                let room = UnsafeMutableRawBufferPointer(buffer)
                count = unsafe ChunkedEncoder.prefix(forChunkOf: piece.count, into: room)
            }
            coded += start + piece + [0x0D, 0x0A]
        }
        return coded + ((try? ChunkedEncoder.end(trailers: [:])) ?? [])
    }

    private struct Decoded: Equatable {
        var body: [UInt8] = []
        var trailers: Headers = [:]
        var isComplete = false
        var fault: PeerFault?
    }

    private static func decode(_ pieces: [ArraySlice<UInt8>]) -> Decoded {
        var decoder = ChunkedDecoder()
        var decoded = Decoded()
        do throws(PeerFault) {
            for piece in pieces where !decoded.isComplete {
                try feed(Array(piece), to: &decoder, &decoded)
            }
        } catch {
            decoded.fault = error
        }
        if decoded.isComplete { decoded.trailers = decoder.receivedTrailerFields() }
        return decoded
    }

    private static func feed(
        _ piece: [UInt8], to decoder: inout ChunkedDecoder, _ decoded: inout Decoded
    ) throws(PeerFault) {
        var rest = piece
        while true {
            switch try decoder.decode(rest.span) {
            case .data(let range):
                require(!range.isEmpty, "data without a byte")
                decoded.body += rest[range]
                rest.removeFirst(range.upperBound)
            case .needMore(let consumed):
                require(consumed == rest.count, "bytes that are left although more are needed")
                return
            case .end(let consumed):
                require(consumed <= rest.count, "the end is beyond the given bytes")
                decoded.isComplete = true
                return
            }
        }
    }
}
