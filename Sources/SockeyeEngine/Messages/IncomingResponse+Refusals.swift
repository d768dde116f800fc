package import SockeyeCore

extension IncomingResponse {
    /// An error about this response, with its head and the start of its body as evidence.
    package func refusal(
        _ code: SockeyeError.Code, _ message: String, blame: SockeyeError.Blame = .peer
    ) async -> SockeyeError {
        refusal(code, message, body: await leadingBytes().bytes).with { $0.blame = blame }
    }

    /// An error about this response, of whose body this is the start.
    package func refusal(_ code: SockeyeError.Code, _ message: String, body: Bytes) -> SockeyeError {
        var fields = SockeyeError.Fields(code, phase: .head, blame: .peer, message: message)
        fields.response = evidence(body: body)
        return SockeyeError(fields).about(request)
    }

    /// The start of the body, as much of it as an error keeps, and what kept the rest from being read.
    package func leadingBytes() async -> (bytes: Bytes, failure: SockeyeError?) {
        let limit = SockeyeError.Evidence.bodyLimit
        var collected = BytesAccumulator(expected: nil)
        do throws(SockeyeError) {
            var iterator = body.makeAsyncIterator()
            while collected.count < limit, let chunk = try await iterator.next() {
                collected.append(chunk.slice(0..<min(chunk.count, limit - collected.count)))
            }
        } catch {
            return (collected.finish(), error)
        }
        return (collected.finish(), nil)
    }

    /// What an error keeps of the response.
    package func evidence(body: Bytes) -> SockeyeError.Evidence {
        SockeyeError.Evidence(status: status, headers: headers, startOf: body)
    }
}
