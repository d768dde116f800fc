import SockeyeCore
package import SockeyeEngine

/// A body format that decodes a `Decodable` value with a decoder.
///
/// A call with a `Decodable` type as its `as:` argument uses a `DecodedFormat` directly as its serializer. This avoids
/// the existential in which a ``BodySerializer`` stores its format.
package struct DecodedFormat<Value: Decodable, Source: ResponseDecoder>: BodyFormat, ResponseSerializer {
    let decoder: Source

    package var accept: String? { decoder.accept }

    package func value(of response: IncomingResponse) async throws(SockeyeError) -> Value {
        guard Value.self == NoContent.self, let nothing = NoContent() as? Value else {
            return try await value(of: response, decoder.handling)
        }
        try await checkStatusOnly(of: response, decoder.handling)
        return nothing
    }

    /// Checks the status, then reads the body up to the limit and discards it. The body is not dropped unread, because
    /// that would abort an upload that continues while the response arrives.
    private func checkStatusOnly(
        of response: IncomingResponse, _ handling: BodyHandling
    ) async throws(SockeyeError) {
        let validation = IncomingResponse.Validation(statusCodes: handling.validation.statusCodes)
        var chunks = try await response.validated(validation).body.makeAsyncIterator()
        var discarded = 0
        while discarded < handling.limit, let chunk = try await chunks.next() { discarded += chunk.count }
    }

    package func value(from body: Bytes, _: BodyHandling, of response: IncomingResponse) throws -> Value {
        do {
            return try decoder.decode(Value.self, from: body)
        } catch let error as CancellationError {
            throw error
        } catch {
            throw response.decodingFailure(error, body: body, excerpt: decoder.excerpt(of: body, for: error))
        }
    }
}

/// A ``DecodedFormat`` with a value of any type, for casts that do not know the type.
package protocol DecoderFormat {
    var anyDecoder: any ResponseDecoder { get }
}

extension DecodedFormat: DecoderFormat {
    package var anyDecoder: any ResponseDecoder { decoder }
}
