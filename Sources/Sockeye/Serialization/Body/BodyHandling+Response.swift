// Apart from what is generic over the value, so that it is compiled once.

import SockeyeEngine

extension BodyHandling {
    /// The body of an acceptable response, preprocessed.
    func body(of response: IncomingResponse) async throws(SockeyeError) -> Bytes {
        guard validation.objections(to: response).isEmpty else {
            // Of a body that is likely to be refused no more is read than the error keeps.
            let start = await response.leadingBytes()
            if start.bytes.isEmpty, let failure = start.failure { throw failure }
            try check(start.bytes, of: response)
            return try preprocessing(start.bytes, of: response)
        }
        return try preprocessing(try await response.body.collect(upTo: limit), of: response)
    }

    /// - Throws: if a response with this body is not acceptable.
    func check(_ body: Bytes, of response: IncomingResponse) throws(SockeyeError) {
        if let refusal = validation.refusal(of: response, body: body) { throw refusal }
        guard body.count <= limit else {
            throw SockeyeError.tooLarge(limit: limit, seen: body.count).about(response.request)
        }
    }

    func preprocessing(_ body: Bytes, of response: IncomingResponse) throws(SockeyeError) -> Bytes {
        guard let preprocessor else { return body }
        do {
            return try preprocessor.process(body, of: response)
        } catch let error as SockeyeError {
            throw error.about(response.request)
        } catch {
            throw response.decodingFailure(error, body: body)
        }
    }
}
