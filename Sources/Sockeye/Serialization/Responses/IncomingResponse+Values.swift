public import FoundationEssentials
public import SockeyeEngine
public import SockeyeSerialization

extension IncomingResponse {
    /// Makes a value of the response, as the calls with `as:` do.
    ///
    /// ```swift
    /// let response = try await client.get("users")
    /// if response.status == .notFound { return nil }
    /// return try await response.value(as: .json([User].self))
    /// ```
    ///
    /// - Throws: What the serializer throws; what is no ``SockeyeError`` as the cause of one with the code
    ///   ``SockeyeError/Code-swift.struct/decodingFailed``.
    public func value<Serializer: ResponseSerializer>(
        as serializer: Serializer
    ) async throws(SockeyeError) -> Serializer.Value {
        do {
            return try await serializer.value(of: self)
        } catch let error as SockeyeError {
            throw error.about(request)
        } catch is CancellationError {
            throw cancellation
        } catch {
            throw decodingFailure(error, body: nil)
        }
    }

    /// Reads the whole body and decodes it from JSON. Neither the status nor the type of the content is looked at; see
    /// ``validated(_:)`` and ``value(as:)``.
    ///
    /// - Throws: ``SockeyeError/Code-swift.struct/decodingFailed`` with the decoder's error as
    ///   ``SockeyeError/underlying`` and the body as evidence, and whatever collecting throws.
    public func json<Value: Decodable>(
        _ type: Value.Type = Value.self, upTo limit: Int = defaultCollectLimit, decoder: JSONDecoder? = nil
    ) async throws(SockeyeError) -> Value {
        let handling = BodyHandling(validation: .none, limit: limit)
        do throws(SockeyeError) {
            return try await DecodedFormat(decoder: JSONResponseDecoder(decoder)).value(of: self, handling)
        } catch {
            throw error.about(request)
        }
    }

    /// The response itself if it is acceptable. Its body stays unread.
    ///
    /// - Parameter validation: What is acceptable; without one a status of 2xx and any content. The type of the content
    ///   is looked at unless the head says that there is none.
    /// - Throws: ``SockeyeError/Code-swift.struct/unacceptableStatus`` or
    ///   ``SockeyeError/Code-swift.struct/unacceptableContentType`` with head and body (at most 64 KiB of it) as
    ///   evidence.
    public func validated(
        _ validation: IncomingResponse.Validation = IncomingResponse.Validation()
    ) async throws(SockeyeError) -> IncomingResponse {
        var objections = validation.objections(to: self)
        if body.expectedLength == 0 { objections.remove(.contentType) }
        guard !objections.isEmpty else { return self }
        let start = await leadingBytes()
        if let refusal = validation.refusal(of: self, body: start.bytes) { throw refusal }
        // Only the type was wrong, and there was no content after all, as far as it came.
        if let failure = start.failure { throw failure }
        return self
    }
}

extension SockeyeError.Evidence {
    /// The media type of the body.
    public var contentType: InternetMediaType? { InternetMediaType.extract(from: headers[values: .contentType]) }

    /// The body as JSON, as far as it is: what many APIs explain an error with. (AFNetworking delivers it along with the
    /// error.)
    ///
    /// Nil if the content is not of a type for JSON, is no JSON, or was cut at 64 KiB.
    public var json: JSONValue? {
        guard let type = contentType, JSONResponseDecoder.contentTypes.contains(where: { type.matches($0) }) else {
            return nil
        }
        return try? JSONValue(parsing: body)
    }

    /// Decodes the body from JSON, whatever its type says.
    ///
    /// ```swift
    /// } catch {
    ///     let problem = try error.response?.decoded(as: Problem.self)  // nil where there was no response
    /// }
    /// ```
    ///
    /// - Throws: What the decoder throws, and what ``JSONResponseDecoder`` does of nesting.
    public func decoded<Value: Decodable>(
        as type: Value.Type = Value.self, decoder: JSONDecoder = JSONDecoder()
    ) throws -> Value {
        try body.withData { try decoder.decode(type, checking: $0) }
    }
}
