import HTTPTypes
import SockeyeCore
import SockeyeHTTP
import SockeyeNet

/// The received bytes of an exchange and the parsers of its response.
///
/// Each step reads the available bytes. If they are not enough, it returns the event to wait for. It never waits.
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

    /// The result of a read before the request is sent.
    enum EarlyRead {
        case nothing
        /// Bytes arrived, or bytes may be left in the stream because the read stopped early. A TLS read stops early
        /// after many records without application data, for example.
        case bytes
        /// The stream has ended or failed. The caller must read the stream again before it waits, because an
        /// edge-triggered poller may not report the end or the failure a second time.
        case over
    }

    private var buffer = ReceiveBuffer()
    private var parser: ResponseHeadParser
    private var decoder: BodyDecoder?
    /// The length of a body that arrived completely with its head and needs no ``decoder``. Nil for all other bodies.
    private var wholeLength: Int?
    private var isWholeTaken = false
    private var framing = BodyFraming.none
    private let limits: HTTP1Limits
    private let tolerances: ResponseTolerances
    /// The result of a decoder step that ran ahead. The next call of ``nextPiece(from:)`` returns or throws it. It is a
    /// large piece that follows joined small pieces, or a fault that follows bytes of the body.
    private var decodedAhead: Result<Bytes, Fault>?
    /// True if the peer has ended its direction.
    private(set) var isEnded = false
    /// The number of response bytes received, including interim responses.
    private(set) var received = 0

    init(limits: HTTP1Limits, tolerances: ResponseTolerances = []) {
        self.limits = limits
        self.tolerances = tolerances
        parser = ResponseHeadParser(limits: limits, allowsBareLF: tolerances.contains(.bareLineFeeds))
    }

    /// The received bytes that no parser has consumed. After the end of a response, these are surplus bytes. After an
    /// upgrade or CONNECT, they are the first bytes of the new protocol.
    var unconsumedBytes: Bytes { buffer.bytes }

    /// Returns the next head, including interim heads. If its bytes have not all arrived, returns nil and stores the
    /// event to wait for in `interest`.
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

    /// Reads once, before the request is sent.
    ///
    /// - Throws: The fault of bytes that cannot begin a head.
    mutating func readAhead(from stream: any ByteStream) throws(Fault) -> EarlyRead {
        switch buffer.fill(from: stream) {
        case .bytes(let count): received += count
        case .wouldBlock: return stream.hasReadAll ? .nothing : .bytes
        case .end, .failed: return .over
        }
        var probe = parser
        do throws(PeerFault) {
            _ = try buffer.withSpan { span throws(PeerFault) in try probe.parse(span) }
        } catch {
            throw .peer(error)
        }
        return .bytes
    }

    private mutating func parse() throws(Fault) -> ResponseHeadSummary? {
        do throws(PeerFault) {
            return try buffer.withSpan { span throws(PeerFault) in try parser.parse(span) }
        } catch {
            throw .peer(error)
        }
    }

    /// Continues with the body after the head has determined its framing.
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
    /// The trailers received so far; nil without trailers.
    var trailers: Headers? {
        guard let fields = decoder?.trailerFields, !fields.isEmpty else { return nil }
        return fields
    }

    /// True if the end of the connection ends the body, so that a truncated body cannot be distinguished from a
    /// complete one.
    var endsWithConnection: Bool { framing == .untilClose }

    /// The number of body bytes that are certain to come. Nil for a body that ends only with the connection. For a
    /// chunked body, the rest of its current chunk.
    var expected: Int? {
        if wholeLength != nil { return 0 }
        guard let decoder, framing != .untilClose, framing != .tunnel else { return nil }
        return decoder.expected ?? 0
    }

    /// True if the last read took all available bytes and all of them were delivered. The caller may then wait before
    /// the next read, because an immediate read would probably find nothing.
    var hasDrained: Bool { buffer.isShort && buffer.isEmpty && decodedAhead == nil }

    /// Returns the part of the body that has already arrived. Reads nothing.
    ///
    /// If a fault follows that part, the next call of ``nextPiece(from:)`` throws it. This method never throws, so that
    /// the caller can deliver the head even if the faulty bytes arrived in the same packet.
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
            decodedAhead = .failure(error)
            return Bytes()
        }
    }

    /// Looks in the buffer for the end of the body, after the delivered content and the piece that was decoded ahead,
    /// if any. Does not read the stream.
    ///
    /// - Returns: True if the end has arrived. If false, the search may have discarded content, and the reader must not
    ///   be used again.
    mutating func findEndInBuffer() -> Bool {
        if case .failure? = decodedAhead { return false }
        while !isBodyFinished, !buffer.isEmpty {
            do throws(Fault) {
                guard try decodeBuffered() == nil else { return false }
            } catch {
                return false
            }
        }
        return isBodyFinished
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
            decodedAhead = .failure(error)
        }
        return collected.finish()
    }

    mutating func nextPiece(from stream: any ByteStream) throws(Fault) -> PieceEvent {
        if let decodedAhead {
            self.decodedAhead = nil
            return .piece(ReceiveBuffer.kept(try decodedAhead.get()))
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

    /// The size below which pieces are joined: copying them costs less than passing each to the consumer.
    private static let joinedPieceLimit = 8 << 10
    /// The size at which joining stops; a joined piece exceeds it by at most one small piece.
    private static let joinLimit = 64 << 10

    /// Joins a small piece with the small pieces after it in the buffer. Chunks of one byte would otherwise cost the
    /// consumer a step each, such as a system call.
    private mutating func joined(_ first: Bytes) -> Bytes {
        guard first.count < Self.joinedPieceLimit, !isBodyFinished, !buffer.isEmpty else { return first }
        var joined = BytesAccumulator(expected: min(first.count + buffer.count, Self.joinLimit))
        joined.append(first)
        while joined.count < Self.joinLimit, !isBodyFinished, !buffer.isEmpty, decodedAhead == nil {
            do throws(Fault) {
                guard let piece = try decodeBuffered() else { continue }
                if piece.count < Self.joinedPieceLimit { joined.append(piece) } else { decodedAhead = .success(piece) }
            } catch {
                decodedAhead = .failure(error)
            }
        }
        // The memory was reserved for all buffered bytes, up to `joinLimit`. These include the framing: with chunks of
        // one byte, at most a sixth of the bytes is content. A joined piece that fills only a small part of its memory
        // is therefore copied to a smaller block.
        return joined.finish().compacted(upTo: Self.joinLimit)
    }

    /// Runs one step of the decoder over the buffered bytes; nil if the step consumed only framing.
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

    /// Reads once. Returns the event to wait for if nothing is available.
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

/// The receiving half of an exchange: reads heads and asks the exchange's state machine how to act on them.
struct ResponseReceiver: Sendable {
    var machine: ExchangeMachine
    var reader: ResponseReader

    @inline(__always)
    init(_ request: borrowing PreparedRequest) {
        machine = ExchangeMachine(request.facts)
        reader = ResponseReader(limits: request.wireLimits, tolerances: request.tolerances)
    }

    /// Reads bytes that arrived on a new connection before its first request.
    ///
    /// Returns true if bytes arrived or may be left to read, or if the stream has ended or failed. Then the caller must
    /// read the stream again before its first wait. The poller may have reported these bytes or this end before, for
    /// example together with the reply of a SOCKS proxy, and may not report them again. An end of the stream or a TLS
    /// alert is reported by the read after the request.
    ///
    /// Bytes that arrived are taken for the beginning of the response, as in curl. A server may respond before it has
    /// read the request (408, 421, or 503 of an overloaded server). The bytes cannot belong to an earlier response,
    /// because the connection is new. After such bytes the connection is not reused, because another response to this
    /// request may follow (RFC 9112 9.2).
    ///
    /// Bytes that cannot begin a response fail the exchange before anything is sent.
    mutating func takeEarlyBytes(from stream: any ByteStream) throws(ResponseReader.Fault) -> Bool {
        guard !stream.hasNothingToRead else { return false }
        switch try reader.readAhead(from: stream) {
        case .nothing: return false
        case .bytes: machine.receivedEarlyBytes()
        case .over: break
        }
        return true
    }

    @inline(__always)
    mutating func nextHead(
        from stream: any ByteStream, orWaitFor interest: inout Interest
    ) throws(ResponseReader.Fault) -> ResponseHead? {
        try reader.nextHead(from: stream, orWaitFor: &interest)
    }

    /// Returns the action on a head, and passes an interim response to `onInterim`.
    ///
    /// - Parameter sender: The sending half. The action also depends on its current status.
    @inline(__always)
    mutating func action(
        on head: borrowing ResponseHead, sender: borrowing RequestSender, for request: borrowing PreparedRequest
    ) throws(ResponseReader.Fault) -> HeadAction {
        sender.report(to: &machine)
        let action: HeadAction
        do throws(PeerFault) { action = try machine.receivedHead(head.summary) } catch { throw .peer(error) }
        switch action {
        case .interim(let status): Self.report(status, head, for: request)
        case .sendBody: Self.report(100, head, for: request)
        case .keepReading, .final, .expectationFailed, .awaitUpload, .switchProtocols, .tunnel: break
        }
        return action
    }

    @inline(never)
    private static func report(
        _ status: Int, _ head: borrowing ResponseHead, for request: borrowing PreparedRequest
    ) {
        request.options.onInterim?(
            IncomingResponse.Interim(status: .init(code: status), headers: head.makeFields()))
    }

    /// Returns the verdict on the connection at the end of the response: reuse it, close it, or await the upload first.
    mutating func finishResponse(_ sender: borrowing RequestSender) -> ConnectionVerdict {
        sender.report(to: &machine)
        machine.responseBodyFinished(surplusBytes: reader.unconsumedBytes.count)
        if reader.isEnded { try? machine.endOfStream() }
        return machine.verdict
    }
}
