import HTTPTypes
import SockeyeEngine
import SockeyeHTTP
import SockeyeTestSupport
import Testing

/// Reads every response of the test vectors: whole, byte by byte, and in two pieces cut at every index of a short
/// response.
@Suite(.timeLimit(.minutes(1)))
struct ResponseVectorTests {
    /// Vectors whose expectation is a limit of the project that they come from, their origin.
    /// - `httparse-test_response_reason_with_obsolete_text_byte`: the origin drops a reason phrase with obs-text
    ///   because it returns `&str`. RFC 9112 4 allows obs-text there, so the phrase is delivered.
    static let keepsReason: Set = ["httparse-test_response_reason_with_obsolete_text_byte"]

    /// Fields that have no effect in a trailer section (RFC 9110 6.5.1) and are not delivered.
    /// `hyper-client_res_body_chunked_with_pathological_trailers` lists them.
    static let forbiddenTrailers: Set = ["transfer-encoding", "content-length", "trailer"]

    @Test("a response is read as its test vector expects", arguments: ResponseVector.all)
    func verdict(vector: ResponseVector) async {
        await judge(await run(vector.wire.bytes, vector), vector)
    }

    private func run(_ bytes: [UInt8], _ vector: ResponseVector) async -> EngineExchange.Outcome {
        await EngineExchange(method: vector.method).run([bytes[...]])
    }

    @Test("a response is read the same however its bytes are cut", arguments: ResponseVector.all)
    func cuts(vector: ResponseVector) async {
        let bytes = vector.wire.bytes
        let exchange = EngineExchange(method: vector.method)
        let whole = await exchange.run([bytes[...]])
        let single = await exchange.run(bytes.indices.map { bytes[$0...$0] })
        #expect(single == whole, "byte by byte")
        // Two responses have 8 kB and 16 kB of digits. They are cut at every index near both ends, and at every 1021st.
        let isShort = bytes.count <= 1024
        let isNearEnd = { (cut: Int) in cut < 128 || cut >= bytes.count - 16 }
        for cut in bytes.indices where isShort || isNearEnd(cut) || cut.isMultiple(of: 1021) {
            let pieces = await exchange.run([bytes[..<cut], bytes[cut...]])
            #expect(pieces == whole, "cut at \(cut)")
        }
    }

    @Test("a bare LF is accepted only if tolerated", arguments: ResponseVector.all.filter { $0.lineFeedOnly })
    func bareLineFeed(vector: ResponseVector) async {
        let bytes = vector.wire.bytes
        var exchange = EngineExchange(method: vector.method)
        let strict = await exchange.run([bytes[...]])
        #expect(strict.fault == .bareLF)
        exchange.tolerances = [.bareLineFeeds]
        let lenient = await exchange.run([bytes[...]])
        #expect(lenient.error == nil)
        if let status = vector.status { #expect(lenient.status == status) }
        if let body = vector.body { #expect(lenient.body == body.bytes) }
    }

    private func judge(_ outcome: EngineExchange.Outcome, _ vector: ResponseVector) async {
        if let forbidden = vector.mustNotDeliver {
            #expect(!outcome.fields.contains { $0.value.contains(forbidden) })
        }
        switch vector.expect {
        case "error": #expect(outcome.error != nil)
        case "ok":
            #expect(outcome.error == nil)
            compare(outcome, vector)
            await compareEnd(outcome, vector)
        case "either":
            guard outcome.error == nil, vector.origin != "error" else { return }
            compare(outcome, vector)
            await compareEnd(outcome, vector)
        default: break
        }
    }

    private func compare(_ outcome: EngineExchange.Outcome, _ vector: ResponseVector) {
        if let status = vector.status { #expect(outcome.status == status) }
        if let version = vector.version { #expect(outcome.version == "HTTP/" + version) }
        if let reason = vector.reason, !Self.keepsReason.contains(vector.id) { #expect(outcome.reason == reason) }
        let fields = outcome.fields.map { [$0.name.lowercased, blanksJoined($0.value)] }
        if let headers = vector.headers { #expect(fields == headers.map(normalized)) }
        for header in vector.headersInclude ?? [] { #expect(fields.contains(normalized(header))) }
        if let body = vector.body { #expect(outcome.body == body.bytes) }
        if let trailers = vector.trailers?.map(normalized) {
            let delivered = outcome.trailers.map { [$0.name.lowercased, blanksJoined($0.value)] }
            #expect(delivered == trailers.filter { !Self.forbiddenTrailers.contains($0[0]) })
        }
    }

    /// Compares the end of the body and the fate of the connection.
    private func compareEnd(_ outcome: EngineExchange.Outcome, _ vector: ResponseVector) async {
        if vector.untilClose == true {
            #expect(outcome.expectedLength == nil && !outcome.isReusable)
            let longer = await run(vector.wire.bytes + [0x78], vector)
            #expect(longer.error == nil && longer.body == outcome.body + [0x78])
        }
        if vector.surplus != nil { #expect(!outcome.isReusable) }
        if vector.connection == "close" { #expect(!outcome.isReusable) }
        guard vector.surplus != nil || vector.connection == "keep-alive", !outcome.isReusable else { return }
        let isReusable = await isReusableWithoutSurplus(outcome, vector)
        #expect(isReusable, "only surplus bytes prevented the reuse")
    }

    /// Returns true if the response has surplus bytes and its connection could be reused without them.
    private func isReusableWithoutSurplus(
        _ outcome: EngineExchange.Outcome, _ vector: ResponseVector
    ) async -> Bool {
        let bytes = vector.wire.bytes
        for count in bytes.indices {
            var shorter = await run(Array(bytes[..<count]), vector)
            guard shorter.isReusable else { continue }
            shorter.isReusable = false
            if shorter == outcome { return true }
        }
        return false
    }

    private func normalized(_ field: [String]) -> [String] {
        [field[0].lowercased(), blanksJoined(field[1])]
    }

    private func blanksJoined(_ text: String) -> String {
        text.split { $0 == " " || $0 == "\t" }.joined(separator: " ")
    }
}

extension ResponseVector {
    /// True if bare line feeds are the only fault of the message.
    var lineFeedOnly: Bool {
        let ids = [
            "h11-resp-07", "h11-resp-08", "llhttp-invalid-19", "llhttp-sample-12", "httparse-test_response_no_cr",
        ]
        return bareLineFeeds ?? ids.contains(id)
    }
}
