import SockeyeCore
import SockeyeHTTP
import SockeyeNet

/// The receiving half of an exchange as a value: what was received, and the machines that make sense of it.
///
/// Every step reads what can be read now and says what to wait for when that is not enough; there is no waiting in
/// here. It moves from the task that awaits the head into the body source, if there is a body that is not here yet.
struct ResponseReader: Sendable {
    enum PieceEvent {
        case wait(Interest)
        case piece(Bytes)
        case end
    }

    enum Fault: Error {
        case peer(PeerFault)
        case transport(TransportError)
    }

    private var buffer = ReceiveBuffer()
    private var parser: ResponseHeadParser
    private var decoder: BodyDecoder?
    /// The length of a body that came whole with its head, as most short ones do: there is nothing to decode.
    private var wholeLength: Int?
    private var isWholeTaken = false
    private var framing = BodyFraming.none
    private let limits: HTTP1Limits
    private let tolerances: ResponseTolerances
    /// Read-ahead of one step, behind pieces that were joined or came with the head: a large piece, or a fault.
    private var readAhead: Result<Bytes, Fault>?
    /// Whether the peer has ended its direction.
    private(set) var isEnded = false
    /// Bytes of a response that came, interim ones included.
    private(set) var received = 0

    init(limits: HTTP1Limits, tolerances: ResponseTolerances = []) {
        self.limits = limits
        self.tolerances = tolerances
        parser = ResponseHeadParser(limits: limits, allowsBareLF: tolerances.contains(.bareLineFeeds))
    }

    /// Surplus bytes: behind the end of a response, or the first of another protocol.
    var surplus: Bytes { buffer.bytes }

    /// The head that comes next; interim ones are heads, too. Nil: there is nothing to read before `interest` is possible.
    mutating func nextHead(
        from stream: any ByteStream, orWaitFor interest: inout Interest
    ) throws(Fault) -> ResponseHead? {
        while true {
            if !buffer.isEmpty, let summary = try parse() {
                let bytes = buffer.slice(0..<summary.byteCount)
                buffer.consume(summary.byteCount)
                parser = ResponseHeadParser(limits: limits, allowsBareLF: tolerances.contains(.bareLineFeeds))
                return ResponseHead(bytes: bytes, summary: summary)
            }
            if isEnded { throw .peer(parser.atEndOfStream()) }
            if let missing = try receive(from: stream) {
                interest = missing
                return nil
            }
        }
    }

    /// Reads once, before the request is sent. Returns whether bytes came.
    ///
    /// - Throws: The fault of bytes that cannot begin a head.
    mutating func readAhead(from stream: any ByteStream) throws(Fault) -> Bool {
        guard case .bytes(let count) = buffer.fill(from: stream) else { return false }
        received += count
        var probe = parser
        do throws(PeerFault) {
            _ = try buffer.withSpan { span throws(PeerFault) in try probe.parse(span) }
        } catch {
            throw .peer(error)
        }
        return true
    }

    private mutating func parse() throws(Fault) -> ResponseHeadSummary? {
        do throws(PeerFault) {
            return try buffer.withSpan { span throws(PeerFault) in try parser.parse(span) }
        } catch {
            throw .peer(error)
        }
    }

    /// Goes on with the body, now that its framing is known.
    mutating func beginBody(_ framing: BodyFraming) {
        self.framing = framing
        if case .length(let length) = framing, length <= buffer.count {
            wholeLength = length
            return
        }
        let decoder = BodyDecoder(framing, limits: limits)
        buffer.expect(decoder.expected.map { max(0, $0 - buffer.count) })
        self.decoder = decoder
    }

    var isBodyFinished: Bool { isWholeTaken || decoder?.isFinished ?? false }
    var trailers: Headers? {
        guard let fields = decoder?.trailerFields, !fields.isEmpty else { return nil }
        return fields
    }

    /// Whether the end of the connection ends the body, so that a body cut short cannot be told from a complete one.
    var endsWithConnection: Bool { framing == .untilClose }

    /// How much of the body is certain to come. Nil for a body that ends only with the connection; of a chunked one it
    /// is what its present chunk still has.
    var expected: Int? {
        if wholeLength != nil { return 0 }
        guard let decoder, framing != .untilClose, framing != .tunnel else { return nil }
        return decoder.expected ?? 0
    }

    /// Whether nothing is left of a read that brought all there was, so that reading again at once would take in what has come
    /// meanwhile at best.
    var hasDrained: Bool { buffer.isShort && buffer.isEmpty && readAhead == nil }

    /// What of the body is here already. Reads nothing.
    ///
    /// What is wrong behind that is told when more is asked for. It must not keep the head from the caller: whether it came
    /// in the same packet as that or in the next is chance.
    mutating func bufferedBody() -> Bytes {
        if let wholeLength, !isWholeTaken {
            isWholeTaken = true
            let body = buffer.slice(0..<wholeLength)
            buffer.consume(wholeLength)
            return body
        }
        do throws(Fault) {
            guard !isBodyFinished, !buffer.isEmpty, let first = try decodeBuffered() else { return Bytes() }
            if isBodyFinished || buffer.isEmpty { return first }
            return rest(behind: first)
        } catch {
            readAhead = .failure(error)
            return Bytes()
        }
    }

    private mutating func rest(behind first: Bytes) -> Bytes {
        var collected = BytesAccumulator(expected: nil)
        collected.append(first)
        do throws(Fault) {
            while !isBodyFinished, !buffer.isEmpty {
                guard let piece = try decodeBuffered() else { break }
                collected.append(piece)
            }
        } catch {
            readAhead = .failure(error)
        }
        return collected.finish()
    }

    /// The next piece of the body.
    mutating func nextPiece(from stream: any ByteStream) throws(Fault) -> PieceEvent {
        if let readAhead {
            self.readAhead = nil
            return .piece(ReceiveBuffer.kept(try readAhead.get()))
        }
        while !isBodyFinished {
            if !buffer.isEmpty, let piece = try decodeBuffered() {
                return .piece(ReceiveBuffer.kept(joined(piece)))
            }
            if isBodyFinished { break }
            if isEnded {
                do throws(PeerFault) { try decoder?.endOfStream() } catch { throw .peer(error) }
                break
            }
            if let interest = try receive(from: stream) { return .wait(interest) }
        }
        return .end
    }

    /// Pieces that are smaller than this are joined: copying them costs less than going through the consumer with each.
    private static let small = 8 << 10
    /// Joined ones are larger by no more than one small one.
    private static let enough = 64 << 10

    /// A small piece joined with those behind it in the buffer: chunks of a byte would cost the consumer a step each, such as a
    /// system call. Reads nothing and waits for nothing.
    private mutating func joined(_ first: Bytes) -> Bytes {
        guard first.count < Self.small, !isBodyFinished, !buffer.isEmpty else { return first }
        var joined = BytesAccumulator(expected: min(first.count + buffer.count, Self.enough))
        joined.append(first)
        while joined.count < Self.enough, !isBodyFinished, !buffer.isEmpty, readAhead == nil {
            do throws(Fault) {
                guard let piece = try decodeBuffered() else { continue }
                if piece.count < Self.small { joined.append(piece) } else { readAhead = .success(piece) }
            } catch {
                readAhead = .failure(error)
            }
        }
        // Up to a sixth of what is here is content when it comes in chunks of a byte, and for that there was no need of so
        // much memory.
        return joined.finish().compacted(upTo: Self.enough)
    }

    /// One step of the decoder over what is here; nil when that was framing only.
    private mutating func decodeBuffered() throws(Fault) -> Bytes? {
        do throws(PeerFault) {
            let step = try buffer.withSpan { span throws(PeerFault) in try decoder?.decode(span) }
            switch step {
            case nil: return nil
            case .data(let range):
                let piece = buffer.slice(range)
                buffer.consume(range.upperBound)
                return piece
            case .needMore(let consumed), .end(let consumed):
                buffer.consume(consumed)
                return nil
            }
        } catch {
            throw .peer(error)
        }
    }

    /// Reads once. Returns what to wait for when nothing is there.
    private mutating func receive(from stream: any ByteStream) throws(Fault) -> Interest? {
        switch buffer.fill(from: stream) {
        case .bytes(let count):
            received += count
            return nil
        case .end:
            isEnded = true
            return nil
        case .wouldBlock(let interest): return interest
        case .failed(.truncated) where endsWithConnection && tolerances.contains(.missingCloseNotify):
            isEnded = true
            return nil
        case .failed(let error): throw .transport(error)
        }
    }
}
