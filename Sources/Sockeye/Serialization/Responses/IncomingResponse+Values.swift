public import SockeyeEngine
public import SockeyeEssentials
public import SockeyeSerialization

extension IncomingResponse {
    /// Converts the response to a value, like the calls with `as:`.
    ///
    /// ```swift
    /// let response = try await client.get("users")
    /// if response.status == .notFound { return nil }
    /// return try await response.value(as: .json([User].self))
    /// ```
    ///
    /// - Throws: The error of the serializer. `CancellationError` becomes
    ///   ``SockeyeError/Code-swift.struct/cancelled``. Any other error that is not a ``SockeyeError`` becomes the cause
    ///   of a ``SockeyeError/Code-swift.struct/decodingFailed``.
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

    /// Reads the whole body, at most `limit` bytes (default 16 MiB), and decodes it from JSON.
    ///
    /// Neither the status nor the content type is checked; see ``validated(_:)`` and ``value(as:)``.
    ///
    /// - Throws: ``SockeyeError/Code-swift.struct/decodingFailed`` with the decoder's error as
    ///   ``SockeyeError/underlying`` and the body as evidence. Also throws the errors of collecting the body.
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

    /// Returns the response if it is accepted. Its body stays unread.
    ///
    /// - Parameter validation: The conditions. Default: 2xx and any content type. The type is not checked if the head
    ///   says that there is no content.
    /// - Throws: ``SockeyeError/Code-swift.struct/unacceptableStatus`` or
    ///   ``SockeyeError/Code-swift.struct/unacceptableContentType`` with the head and at most 64 KiB of the body as
    ///   evidence. If reading the body fails before the first byte, the error for an unacceptable status has the read
    ///   error as its cause. The read error itself is thrown if it is a cancellation, or if only the content type was
    ///   unacceptable.
    public func validated(
        _ validation: IncomingResponse.Validation = IncomingResponse.Validation()
    ) async throws(SockeyeError) -> IncomingResponse {
        var objections = validation.objections(to: self)
        if body.expectedLength == 0 { objections.remove(.contentType) }
        guard !objections.isEmpty else { return self }
        let start = await leadingBytes()
        if start.bytes.isEmpty, let failure = start.failure {
            throw validation.refusal(of: self, unreadBy: failure)
        }
        if let refusal = validation.refusal(of: self, body: start.bytes) { throw refusal }
        // Only the type was wrong, and the body is empty.
        return self
    }
}

extension SockeyeError.Evidence {
    /// The media type of the body.
    public var contentType: InternetMediaType? { InternetMediaType.extract(from: headers[values: .contentType]) }

    /// The body as JSON, which many APIs use to describe an error. (AFNetworking delivers it along with the error.)
    ///
    /// Nil if the content type is not a JSON type, if the body is not valid JSON, or if it has 64 KiB and so may have
    /// been truncated.
    public var json: JSONValue? {
        // The start of a truncated text can be valid JSON by itself.
        guard body.count < Self.bodyLimit, let type = contentType,
            JSONResponseDecoder.contentTypes.contains(where: { type.matches($0) })
        else { return nil }
        return try? JSONValue(parsing: body)
    }

    /// Decodes the body from JSON, whatever its content type.
    ///
    /// ```swift
    /// } catch {
    ///     // nil if there was no response
    ///     let problem = try error.response?.decoded(as: Problem.self)
    /// }
    /// ```
    ///
    /// - Throws: The errors of the decoder. Nesting that is too deep throws the same error as in
    ///   ``JSONResponseDecoder``.
    public func decoded<Value: Decodable>(
        as type: Value.Type = Value.self, decoder: JSONDecoder = JSONDecoder()
    ) throws -> Value {
        try body.withData { try decoder.decode(type, checking: $0) }
    }
}
