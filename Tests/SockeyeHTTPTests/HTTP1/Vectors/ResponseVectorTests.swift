import HTTPTypes
import SockeyeHTTP
import SockeyeTestSupport
import Testing

/// Every shared response, whole, byte by byte and cut at every index. Skipped where the shared data is not there.
@Suite(.enabled(if: !ResponseVector.all.isEmpty, Vectors.absence))
struct ResponseVectorTests {
    /// Cases whose expectation is the origin's own limit.
    /// - `httparse-test_response_reason_with_obsolete_text_byte`: the origin drops a reason phrase with obs-text because
    ///   it returns `&str`. RFC 9112 4 allows obs-text there, so the phrase is delivered.
    static let keepsReason: Set = ["httparse-test_response_reason_with_obsolete_text_byte"]

    @Test("reads as its origin says", arguments: ResponseVector.all)
    func verdict(vector: ResponseVector) throws {
        judge(ResponseReader.read([vector.wire.bytes[...]], method: vector.method), vector)
    }

    @Test("reads the same however the bytes are cut", arguments: ResponseVector.all)
    func cuts(vector: ResponseVector) {
        let bytes = vector.wire.bytes
        let whole = ResponseReader.read([bytes[...]], method: vector.method)
        let single = bytes.indices.map { bytes[$0...$0] }
        #expect(ResponseReader.read(single, method: vector.method) == whole, "byte by byte")
        for cut in bytes.indices {
            let pieces = ResponseReader.read([bytes[..<cut], bytes[cut...]], method: vector.method)
            #expect(pieces == whole, "cut at \(cut)")
        }
    }

    @Test("accepts a bare LF only when told to", arguments: ResponseVector.all.filter { $0.lineFeedOnly })
    func bareLineFeed(vector: ResponseVector) {
        let bytes = vector.wire.bytes
        #expect(ResponseReader.read([bytes[...]], method: vector.method).fault == .bareLF)
        let lenient = ResponseReader.read([bytes[...]], method: vector.method, allowsBareLF: true)
        #expect(lenient.fault == nil)
        if let status = vector.status { #expect(lenient.status == status) }
        if let body = vector.body { #expect(lenient.body == body.bytes) }
    }

    private func judge(_ outcome: ResponseReader.Outcome, _ vector: ResponseVector) {
        if let forbidden = vector.mustNotDeliver {
            #expect(!outcome.fields.contains { $0.value.contains(forbidden) })
        }
        switch vector.expect {
        case "error": #expect(outcome.fault != nil)
        case "ok":
            #expect(outcome.fault == nil)
            compare(outcome, vector)
        case "either":
            if outcome.fault == nil, vector.origin != "error" { compare(outcome, vector) }
        default: break
        }
    }

    private func compare(_ outcome: ResponseReader.Outcome, _ vector: ResponseVector) {
        if let status = vector.status { #expect(outcome.status == status) }
        if let version = vector.version { #expect(outcome.version == "HTTP/" + version) }
        if let reason = vector.reason, !Self.keepsReason.contains(vector.id) { #expect(outcome.reason == reason) }
        let fields = outcome.fields.map { [$0.name.canonicalName, blanksJoined($0.value)] }
        if let headers = vector.headers { #expect(fields == headers.map(normalized)) }
        for header in vector.headersInclude ?? [] { #expect(fields.contains(normalized(header))) }
        if let body = vector.body { #expect(outcome.body == body.bytes) }
        if let trailers = vector.trailers {
            #expect(
                outcome.trailers.map { [$0.name.canonicalName, blanksJoined($0.value)] } == trailers.map(normalized))
        }
        if vector.untilClose == true { #expect(outcome.framing == .untilClose) }
        if vector.surplus != nil {
            #expect(outcome.surplus > 0)
            #expect(outcome.verdict == .close(.surplus(outcome.surplus)))
        }
        switch (vector.connection, outcome.verdict) {
        case ("close", .reuse), ("close", .awaitUpload): Issue.record("the connection must not be reused")
        case ("keep-alive", .close(let reason)): #expect(reason == .surplus(outcome.surplus))
        default: break
        }
    }

    private func normalized(_ field: [String]) -> [String] {
        [field[0].lowercased(), blanksJoined(field[1])]
    }

    private func blanksJoined(_ text: String) -> String {
        text.split { $0 == " " || $0 == "\t" }.joined(separator: " ")
    }
}

extension ResponseVector {
    /// A message that is fine but for line feeds that stand alone.
    var lineFeedOnly: Bool {
        ["h11-resp-07", "h11-resp-08", "llhttp-invalid-19", "llhttp-sample-12", "httparse-test_response_no_cr"]
            .contains(id)
    }
}
