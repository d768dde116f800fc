package import HTTPTypes
import SockeyeCore
package import SockeyeHTTP

/// The pure part of a client that reads one response: what the engine is for, without a socket.
package struct ResponseReader {
    /// Everything a caller could see. Equal for equal bytes, however they are cut.
    package struct Outcome: Equatable {
        package var interim: [Int] = []
        package var status: Int?
        package var version = ""
        package var reason = ""
        package var fields: [HTTPField] = []
        package var framing: BodyFraming?
        package var body: [UInt8] = []
        package var trailers: [HTTPField] = []
        package var handedOver = false
        package var fault: PeerFault?
        package var surplus = 0
        package var verdict = ConnectionVerdict.close(.responseUnfinished)
    }

    private var buffer: [UInt8] = []
    private var parser: ResponseHeadParser
    private var machine: ExchangeMachine
    private var decoder: BodyDecoder?
    private var outcome = Outcome()
    private var isOver = false
    private let limits: HTTP1Limits
    private let allowsBareLF: Bool

    init(
        method: String, expectsContinue: Bool = false, upgrades: Bool = false, limits: HTTP1Limits = HTTP1Limits(),
        allowsBareLF: Bool = false
    ) {
        self.limits = limits
        self.allowsBareLF = allowsBareLF
        parser = ResponseHeadParser(limits: limits, allowsBareLF: allowsBareLF)
        machine = ExchangeMachine(
            ExchangeFacts(
                method: MethodKind(method), hasBody: expectsContinue, expectsContinue: expectsContinue,
                requestsUpgrade: upgrades, limits: limits))
        machine.uploadFinished()
    }

    /// Reads pieces that arrive one after the other, and then the end of the stream.
    package static func read(
        _ pieces: some Sequence<ArraySlice<UInt8>>,
        method: String = "GET",
        expectsContinue: Bool = false,
        upgrades: Bool = false,
        limits: HTTP1Limits = HTTP1Limits(),
        allowsBareLF: Bool = false
    ) -> Outcome {
        var reader = ResponseReader(
            method: method, expectsContinue: expectsContinue, upgrades: upgrades, limits: limits,
            allowsBareLF: allowsBareLF)
        do throws(PeerFault) {
            for piece in pieces { try reader.feed(piece) }
            try reader.finish()
        } catch {
            reader.outcome.fault = error
            reader.machine.failed()
        }
        reader.outcome.verdict = reader.machine.verdict
        return reader.outcome
    }

    private mutating func feed(_ piece: ArraySlice<UInt8>) throws(PeerFault) {
        buffer.append(contentsOf: piece)
        while !isOver {
            let progressed = decoder == nil ? try readHead() : try readBody()
            if !progressed { return }
        }
    }

    private mutating func readHead() throws(PeerFault) -> Bool {
        let buffered = buffer
        guard let summary = try parser.parse(buffered.span) else { return false }
        let head = ResponseHead(bytes: Bytes(buffer[..<summary.byteCount]), summary: summary)
        buffer.removeFirst(summary.byteCount)
        parser = ResponseHeadParser(limits: limits, allowsBareLF: allowsBareLF)
        let action = try machine.receivedHead(summary)
        switch action {
        case .interim(let status): outcome.interim.append(status)
        case .keepReading, .sendBody: outcome.interim.append(100)
        case .final(let framing, stopsUpload: _), .expectationFailed(let framing): take(head, framing)
        case .tunnel, .switchProtocols:
            take(head, .tunnel)
            outcome.handedOver = true
        }
        return true
    }

    private mutating func take(_ head: ResponseHead, _ framing: BodyFraming) {
        outcome.status = head.status
        outcome.version = head.version
        outcome.reason = head.reason
        outcome.fields = Array(head.makeFields())
        outcome.framing = framing
        let decoder = BodyDecoder(framing, limits: limits)
        self.decoder = decoder
        if decoder.isFinished { end() }
    }

    private mutating func readBody() throws(PeerFault) -> Bool {
        guard var decoder else { return false }
        defer { self.decoder = decoder }
        switch try decoder.decode(buffer.span) {
        case .data(let range):
            outcome.body += buffer[range]
            buffer.removeFirst(range.upperBound)
        case .needMore(let consumed):
            buffer.removeFirst(consumed)
            return false
        case .end(let consumed):
            buffer.removeFirst(consumed)
            outcome.trailers = Array(decoder.receivedTrailerFields)
            end()
        }
        if decoder.isFinished { end() }
        return true
    }

    private mutating func end() {
        isOver = true
    }

    private mutating func finish() throws(PeerFault) {
        if isOver {
            outcome.surplus = buffer.count
            machine.responseBodyFinished(surplusBytes: buffer.count)
            return
        }
        try machine.endOfStream(orFault: parser.atEndOfStream())
        try decoder?.endOfStream()
        machine.responseBodyFinished()
    }
}
