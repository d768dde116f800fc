public import FoundationEssentials
import HTTPTypes
import SockeyeCore

extension Response {
    /// Reads the whole body and decodes it from JSON. The status is not looked at; see ``validated()``.
    ///
    /// - Throws: ``SockeyeError/Code-swift.struct/decodingFailed`` with the decoder's error as
    ///   ``SockeyeError/underlying`` and the body as evidence, and whatever collecting throws.
    public func json<Value: Decodable>(
        _ type: Value.Type = Value.self, upTo limit: Int = defaultCollectLimit, decoder: JSONDecoder = JSONDecoder()
    ) async throws(SockeyeError) -> Value {
        let bytes = try await body.collect(upTo: limit)
        do {
            return try decoder.decode(type, from: Data(bytes))
        } catch {
            var fields = SockeyeError.Fields(
                .decodingFailed, phase: .decode, blame: .peer, message: "the body is not the JSON that was asked for")
            fields.underlying = error
            fields.response = evidence(body: bytes)
            throw SockeyeError(fields).about(request)
        }
    }

    /// The response itself if its status is 2xx.
    ///
    /// - Throws: ``SockeyeError/Code-swift.struct/unacceptableStatus`` with head and body (at most 64 KiB of it) as
    ///   evidence.
    public func validated() async throws(SockeyeError) -> Response {
        guard status.kind != .successful else { return self }
        throw await refusal(.unacceptableStatus, "the server answered \(status.code)")
    }

    /// An error about this response, with its head and the start of its body as evidence.
    func refusal(_ code: SockeyeError.Code, _ message: String) async -> SockeyeError {
        let body = await leadingBytes(upTo: 64 << 10)
        var fields = SockeyeError.Fields(code, phase: .head, blame: .peer, message: message)
        fields.response = evidence(body: body)
        return SockeyeError(fields).about(request)
    }

    private func evidence(body: Bytes) -> ResponseEvidence {
        ResponseEvidence(status: status, headers: headers, body: body.slice(0..<min(body.count, 64 << 10)))
    }

    /// The start of the body; what cannot be read is left out.
    private func leadingBytes(upTo limit: Int) async -> Bytes {
        var collected = BytesAccumulator(expected: nil)
        var iterator = body.makeAsyncIterator()
        while collected.count < limit, let chunk = try? await iterator.next() {
            collected.append(chunk.slice(0..<min(chunk.count, limit - collected.count)))
        }
        return collected.finish()
    }
}
