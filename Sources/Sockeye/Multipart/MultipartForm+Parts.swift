import SockeyeCore
public import SockeyeEngine
public import SockeyeEssentials
public import SockeyeHTTP
public import SockeyeSerialization

extension MultipartForm {
    /// Adds a field with a string, a number or a Boolean. The counterpart of AFNetworking's
    /// `appendPartWithFormData:name:`.
    public mutating func field(_ name: String, _ value: some LosslessStringConvertible) {
        let text = normalizesLineEnds ? LineEnds.normalized(value.description) : value.description
        part(name, .string(text))
    }

    /// Adds bytes in memory. The counterpart of AFNetworking's `appendPartWithFileData:name:fileName:mimeType:`.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - bytes: The content.
    ///   - filename: The file name, which makes the part a file. Nil: the part is a plain field.
    ///   - contentType: The media type. Nil: the type for the extension of `filename`, or no type if `filename` is nil.
    public mutating func data(
        _ name: String, _ bytes: some Sequence<UInt8>, filename: String? = nil, contentType: String? = nil
    ) {
        part(name, .bytes(bytes), filename: filename, contentType: contentType)
    }

    /// Adds a stream, which is read while the form is sent. The counterpart of AFNetworking's
    /// `appendPartWithInputStream:name:fileName:length:mimeType:`.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - sequence: The content. It is iterated once each time the form is sent.
    ///   - length: The number of bytes. The request fails if the stream yields fewer or more. Nil: unknown; the whole
    ///     form is sent chunked.
    ///   - filename: The file name, which makes the part a file. Nil: the part is a plain field.
    ///   - contentType: The same as for ``data(_:_:filename:contentType:)``.
    ///   - isReplayable: True if the sequence can be iterated again from the start. To create a new sequence for each
    ///     attempt, pass ``OutgoingRequest/Body/stream(length:makingEach:)`` to
    ///     ``part(_:_:filename:contentType:headers:)``.
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
    ///   - body: The content. Its trailers are not sent, because parts cannot have trailers.
    ///   - filename: The file name, which makes the part a file. Nil: the part is a plain field.
    ///   - contentType: The same as for ``data(_:_:filename:contentType:)``.
    ///   - headers: Further fields of the part. Content-Disposition is ignored, and so is Content-Type if `contentType`
    ///     is given, because a part has each of them at most once.
    public mutating func part(
        _ name: String, _ body: OutgoingRequest.Body, filename: String? = nil, contentType: String? = nil,
        headers: Headers = [:]
    ) {
        var fields = Headers()
        let ofFile = headers.contains(.contentType) ? nil : filename.map { FileMediaTypes.type(of: $0) }
        if let type = contentType ?? ofFile { fields.append(.contentType, type) }
        for field in headers where field.name != .contentDisposition {
            if contentType == nil || field.name != .contentType { fields.append(field.name, field.value) }
        }
        append(PartHead(disposition: FormDisposition(name: name, filename: filename), headers: fields), body)
    }

    /// Adds any body with exactly the given fields. The counterpart of AFNetworking's `appendPartWithHeaders:body:`.
    /// Use it for parts of `multipart/mixed` and `multipart/related`.
    public mutating func part(headers: Headers, _ body: OutgoingRequest.Body) {
        append(PartHead(disposition: nil, headers: headers), body)
    }

    /// Adds another form as a part, with its own Content-Type. If `form` is a copy of this form, both have the same
    /// boundary, and ``body()`` of this form throws.
    ///
    /// - Parameters:
    ///   - form: The form that becomes a part.
    ///   - headers: Further fields of the part.
    /// - Throws: The errors that ``body()`` throws for `form`.
    public mutating func part(_ form: MultipartForm, headers: Headers = [:]) throws(SockeyeError) {
        var fields = headers
        fields[.contentType] = form.contentType
        let body = try form.body()
        nest(form)
        append(PartHead(disposition: nil, headers: fields), body)
    }
}

extension MultipartForm {
    /// Adds a file. The counterpart of AFNetworking's `appendPartWithFileURL:name:fileName:mimeType:error:`.
    ///
    /// The file is checked now and opened again each time the form is sent. The part gets the length that the file has
    /// now. If the file grows, the additional bytes are not sent. If it shrinks or is replaced by a file of another
    /// length, the request fails. A large file is never loaded into memory as a whole; see
    /// ``OutgoingRequest/Body/file(_:)``.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - path: The path of the file.
    ///   - filename: The file name to send. Nil: the last component of the path.
    ///   - contentType: The media type. Nil: the type for the file name's extension from a fixed table, or else
    ///     `application/octet-stream`.
    /// - Throws: ``SockeyeError/Code-swift.struct/bodyFailed`` if the file cannot be read or is not a regular file.
    public mutating func file(
        _ name: String, at path: String, filename: String? = nil, contentType: String? = nil
    ) throws(SockeyeError) {
        let filename = filename ?? String(FilePath.name(of: path))
        part(name, try .file(path), filename: filename, contentType: contentType)
    }

    /// Adds the file of a file URL. See ``file(_:at:filename:contentType:)``.
    ///
    /// - Throws: ``SockeyeError/Code-swift.struct/bodyFailed`` if the URL is not a file URL, or if the file cannot be
    ///   read or is not a regular file.
    public mutating func file(
        _ url: URL, name: String, filename: String? = nil, contentType: String? = nil
    ) throws(SockeyeError) {
        guard url.isFileURL else {
            let message = "the URL of the part is not a file URL"
            throw SockeyeError(.init(.bodyFailed, phase: .prepare, blame: .caller, message: message))
        }
        try file(name, at: url.path, filename: filename, contentType: contentType)
    }
}

extension MultipartForm {
    /// Adds parameters as fields, one for each value, as AFNetworking does for a multipart request. Names and order are
    /// the same as in a query. Data is added as bytes, null as the style says (by default an empty field), and any
    /// other value as text.
    ///
    /// - Parameters:
    ///   - parameters: The parameters.
    ///   - style: The style of keys and values. Its `spaces` has no effect here.
    /// - Throws: ``SockeyeError/Code-swift.struct/encodingFailed`` if the style refuses a parameter or was made by
    ///   `RequestParameters.Style.custom`.
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
