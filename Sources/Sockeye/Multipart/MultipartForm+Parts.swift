public import FoundationEssentials
import SockeyeCore
public import SockeyeEngine
public import SockeyeHTTP
public import SockeyeSerialization

extension MultipartForm {
    /// Adds a field: a string, a number, a boolean. The counterpart of `appendPartWithFormData:name:`.
    public mutating func field(_ name: String, _ value: some LosslessStringConvertible) {
        let text = normalizesLineEnds ? LineEnds.normalized(value.description) : value.description
        part(name, .string(text))
    }

    /// Adds bytes in memory, from any sequence of them. The counterpart of `appendPartWithFileData:name:fileName:mimeType:`.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - bytes: The content.
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
    ///   - name: The name of the field.
    ///   - sequence: The content, read once for each time the form is sent.
    ///   - length: The number of bytes; a stream that yields more or less fails the request. Nil: unknown, which makes
    ///     the whole form chunked.
    ///   - filename: Makes a file of the part.
    ///   - contentType: As with ``data(_:_:filename:contentType:)``.
    ///   - isReplayable: Whether the sequence can be iterated again from the start. For one that is made anew each time
    ///     add a ``OutgoingRequest/Body/stream(length:makingEach:)`` with ``part(_:_:filename:contentType:headers:)``.
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
    ///   - name: The name of the field.
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
    /// - Parameters:
    ///   - form: The form that becomes a part.
    ///   - headers: Further fields of the part.
    /// - Throws: What its ``body()`` throws.
    public mutating func part(_ form: MultipartForm, headers: Headers = [:]) throws(SockeyeError) {
        var fields = headers
        fields[.contentType] = form.contentType
        let body = try form.body()
        nest(form)
        append(PartHead(disposition: nil, headers: fields), body)
    }
}

extension MultipartForm {
    /// Adds a file. The counterpart of `appendPartWithFileURL:name:fileName:mimeType:error:`.
    ///
    /// The file is looked at now, and opened again whenever the form is sent. Its length is the one it has now: of a file
    /// that grows no more is sent, and one that has become shorter, or was replaced by another of another length, fails the
    /// request. In a form of known length, over a plain connection, the system sends a large file without passing it
    /// through this process; else it is read in pieces.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - path: The path of the file.
    ///   - filename: What the server is told. Nil: the last component of the path.
    ///   - contentType: The media type. Nil: that of the extension of the file's name, of those that are known everywhere,
    ///     else `application/octet-stream`.
    /// - Throws: ``SockeyeError/Code-swift.struct/bodyFailed`` when the file cannot be read or is not a regular one.
    public mutating func file(
        _ name: String, at path: String, filename: String? = nil, contentType: String? = nil
    ) throws(SockeyeError) {
        let filename = filename ?? path.split(separator: "/").last.map(String.init) ?? path
        part(name, try .file(path), filename: filename, contentType: contentType)
    }

    /// Adds the file that a file URL names. See ``file(_:at:filename:contentType:)``.
    ///
    /// - Throws: ``SockeyeError/Code-swift.struct/bodyFailed``, also for a URL that names no file.
    public mutating func file(
        _ url: URL, name: String, filename: String? = nil, contentType: String? = nil
    ) throws(SockeyeError) {
        guard url.isFileURL else {
            let message = "the URL of a part does not name a file"
            throw SockeyeError(.init(.bodyFailed, phase: .prepare, blame: .caller, message: message))
        }
        try file(name, at: url.path, filename: filename, contentType: contentType)
    }
}

extension MultipartForm {
    /// Adds parameters as fields, one for each value, as AFNetworking does with those of a multipart request: named and
    /// ordered as in a query, data as it is, null as nothing, everything else as text.
    ///
    /// - Parameters:
    ///   - parameters: The parameters.
    ///   - style: How keys and values are written. `spaces` has no meaning here, nor has a style that is a closure,
    ///     which is refused.
    /// - Throws: ``SockeyeError/Code-swift.struct/encodingFailed`` for what the style refuses.
    public mutating func parameters(
        _ parameters: RequestParameters, style: RequestParameters.Style = .standard
    ) throws(SockeyeError) {
        do throws(RequestParameters.EncodingError) {
            for pair in try style.pairs(of: parameters) {
                switch pair.value {
                case .text(let text): field(pair.name, text)
                case .data(let data): self.data(pair.name, data)
                }
            }
        } catch {
            throw SockeyeError(error)
        }
    }
}
