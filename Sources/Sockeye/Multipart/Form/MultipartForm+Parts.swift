import SockeyeCore
public import SockeyeEngine
public import SockeyeHTTP

extension MultipartForm {
    /// Adds a field: a string, a number, a boolean. The counterpart of `appendPartWithFormData:name:`.
    public mutating func field(_ name: String, _ value: some LosslessStringConvertible) {
        let text = normalizesLineEnds ? LineEnds.normalized(value.description) : value.description
        part(name, .string(text))
    }

    /// Adds bytes in memory, from any sequence of them. The counterpart of `appendPartWithFileData:name:fileName:mimeType:`.
    ///
    /// - Parameters:
    ///   - filename: Makes a file of the part.
    ///   - contentType: The type of the content. Nil: that of the extension of `filename`; none without one.
    public mutating func data(
        _ name: String, _ bytes: some Sequence<UInt8>, filename: String? = nil, contentType: String? = nil
    ) {
        part(name, .bytes(bytes), filename: filename, contentType: contentType)
    }

    /// Adds a stream, which is read while the form is sent. The counterpart of
    /// `appendPartWithInputStream:name:fileName:length:mimeType:`.
    ///
    /// - Parameters:
    ///   - length: The number of bytes; a stream that yields more or less fails the request. Nil: unknown, which makes the
    ///     whole form chunked.
    ///   - filename: Makes a file of the part.
    ///   - contentType: As with ``data(_:_:filename:contentType:)``.
    ///   - isReplayable: Whether the sequence can be iterated again from the start. For one that is made anew each time add
    ///     a ``OutgoingRequest/Body/stream(length:makingEach:)`` with ``part(_:_:filename:contentType:headers:)``.
    public mutating func stream<Chunks: AsyncSequence & Sendable>(
        _ name: String, _ sequence: Chunks, length: Int? = nil, filename: String? = nil, contentType: String? = nil,
        isReplayable: Bool = false
    ) where Chunks.Element: Collection<UInt8> & Sendable {
        let body = OutgoingRequest.Body.stream(sequence, length: length, isReplayable: isReplayable)
        part(name, body, filename: filename, contentType: contentType)
    }

    /// Adds any body as a field or file of a form.
    ///
    /// - Parameters:
    ///   - body: The content. Trailers of it are left out, since a part has no place for them.
    ///   - filename: Makes a file of the part.
    ///   - contentType: As with ``data(_:_:filename:contentType:)``.
    ///   - headers: Further fields of the part.
    public mutating func part(
        _ name: String, _ body: OutgoingRequest.Body, filename: String? = nil, contentType: String? = nil,
        headers: Headers = [:]
    ) {
        var fields = Headers()
        let type = contentType ?? filename.map { FileMediaTypes.type(of: $0) }
        if let type { fields.append(.contentType, type) }
        for field in headers { fields.append(field.name, field.value) }
        append(PartHead(disposition: FormDisposition(name: name, filename: filename), headers: fields), body)
    }

    /// Adds any body with exactly these fields and no others. The counterpart of `appendPartWithHeaders:body:`, and what
    /// parts of `multipart/mixed` and `multipart/related` are.
    public mutating func part(headers: Headers, _ body: OutgoingRequest.Body) {
        append(PartHead(disposition: nil, headers: headers), body)
    }

    /// Adds a form as a part of this one, with its Content-Type. A copy of this one cannot be a part of it, for it has the
    /// same boundary.
    ///
    /// - Parameter headers: Further fields of the part.
    /// - Throws: What its ``body()`` throws.
    public mutating func part(_ form: MultipartForm, headers: Headers = [:]) throws(SockeyeError) {
        var fields = headers
        fields[.contentType] = form.contentType
        let body = try form.body()
        nest(form)
        append(PartHead(disposition: nil, headers: fields), body)
    }
}
