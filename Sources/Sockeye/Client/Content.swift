import SockeyeCore
import SockeyeEngine
public import SockeyeEssentials
public import SockeyeSerialization

extension HTTPClient {
    /// The content of a request, with its media type.
    ///
    /// ```swift
    /// try await api.post("items", .json(item))
    /// try await api.post("login", .form(["user": name, "roles": roles]))
    /// try await api.put("blob", .stream(chunks, length: size))
    /// ```
    ///
    /// Values are encoded and files are opened when the client makes the call, not when you create the content. A
    /// multipart form also checks each file when you add it to the form. The call uses the encoder and the parameter
    /// style of the client's scope (see `scoped` of ``HTTPClient``). The media type is sent as Content-Type unless the
    /// call or its scope sets that field. A multipart form always sends its own media type.
    ///
    /// You can add a format as a static member:
    ///
    /// ```swift
    /// extension HTTPClient.Content {
    ///     static func protobuf(_ message: some Message) -> Self {
    ///         Self(contentType: "application/protobuf") {
    ///             .bytes(try message.serializedBytes())
    ///         }
    ///     }
    /// }
    /// let reply = try await api.post(
    ///     "items", .protobuf(item), as: .protobuf(Reply.self))
    /// ```
    public struct Content {
        enum Source {
            case body(OutgoingRequest.Body)
            case file(String)
            case json(any Encodable, JSONEncoder?)
            case jsonValue(JSONValue)
            case form(RequestParameters)
            case parameters(RequestParameters)
            case multipart(Result<MultipartForm, any Error>)
            case made(() throws -> OutgoingRequest.Body)
        }

        let source: Source
        /// The Content-Type of a body, a file or a custom format; nil to send none. The type of any other content
        /// follows from its source.
        let contentType: String?

        init(_ source: Source, contentType: String? = nil) {
            self.source = source
            self.contentType = contentType
        }

        /// Creates content in a custom format.
        ///
        /// - Parameters:
        ///   - contentType: The Content-Type; nil to send none.
        ///   - makeBody: Called once for each call that sends the content. If the closure throws a ``SockeyeError``,
        ///     the call throws the same error. Any other error is wrapped in
        ///     ``SockeyeError/Code-swift.struct/encodingFailed`` as the ``SockeyeError/underlying`` error.
        public init(contentType: String?, body makeBody: @escaping () throws -> OutgoingRequest.Body) {
            self.init(.made(makeBody), contentType: contentType)
        }
    }
}

extension HTTPClient.Content {
    /// Any body, such as one with trailers or a throttled one.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - contentType: The Content-Type. Default: nil, to send none.
    public static func body(_ body: OutgoingRequest.Body, contentType: String? = nil) -> Self {
        Self(.body(body), contentType: contentType)
    }

    /// Bytes in memory, from any sequence of bytes: `[UInt8]`, `Data`, ``Bytes`` and so on.
    ///
    /// - Parameters:
    ///   - bytes: The bytes. They are copied unless they are ``Bytes``.
    ///   - contentType: The Content-Type. Default: nil, to send none.
    public static func bytes(_ bytes: some Sequence<UInt8>, contentType: String? = nil) -> Self {
        Self(.body(.bytes(bytes)), contentType: contentType)
    }

    /// Text in UTF-8.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - contentType: The Content-Type. Default: `text/plain; charset=utf-8`.
    public static func text(
        _ text: some StringProtocol, contentType: String? = "text/plain; charset=utf-8"
    ) -> Self {
        Self(.body(.string(text)), contentType: contentType)
    }

    /// The content of a file.
    ///
    /// The call checks the file, and each attempt opens it again. The call throws the errors of
    /// ``OutgoingRequest/Body/file(_:)``.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - contentType: The Content-Type. Default: nil, to send none.
    public static func file(_ path: String, contentType: String? = nil) -> Self {
        Self(.file(path), contentType: contentType)
    }

    /// An HTML form, `application/x-www-form-urlencoded`.
    ///
    /// ```swift
    /// try await api.post(
    ///     "login", .form(["user": name, "roles": ["x", "y"], "meta": ["k": "v"]]))
    /// // meta[k]=v&roles=x&roles=y&user=…, percent-encoded
    /// ```
    ///
    /// If the scope's request serializer writes forms, it determines the charset and the style (the notation of arrays
    /// and nested values). Otherwise the style is that of the scope's queries, and the charset is UTF-8. Parameters
    /// that the style cannot express fail the call with ``SockeyeError/Code-swift.struct/encodingFailed``.
    public static func form(_ parameters: RequestParameters) -> Self { Self(.form(parameters)) }

    /// Parameters that the scope's request serializer encodes. Depending on the method, the serializer puts them into
    /// the URL, or sends them as a form, as JSON and so on.
    ///
    /// Without a request serializer they are appended to the URL for GET, HEAD and DELETE, and sent as a form for other
    /// methods. The counterpart of AFNetworking's `parameters:`.
    public static func parameters(_ parameters: RequestParameters) -> Self { Self(.parameters(parameters)) }

    /// A multipart form (RFC 7578). The counterpart of AFNetworking's `constructingBodyWithBlock:`.
    ///
    /// ```swift
    /// try await client.post("photos", .multipart { form in
    ///     form.field("title", title)
    ///     try form.file("photo", at: path)
    /// })
    /// ```
    ///
    /// The form's Content-Type replaces that of the call and the scope. A form without parts is sent as a request
    /// without a body. With GET and HEAD the call fails with ``SockeyeError/Code-swift.struct/invalidRequest``.
    ///
    /// - Parameter build: Fills the form; see ``MultipartForm``. Called once, when the content is created. If the
    ///   closure throws a ``SockeyeError``, the call that sends the content throws the same error. Any other error is
    ///   wrapped in ``SockeyeError/Code-swift.struct/encodingFailed``.
    public static func multipart(_ build: (inout MultipartForm) throws -> Void) -> Self {
        Self(
            .multipart(
                Result {
                    var form = MultipartForm()
                    try build(&form)
                    return form
                }))
    }

    /// A multipart form that already exists. See ``multipart(_:)-((MultipartForm)->Void)``.
    public static func multipart(_ form: MultipartForm) -> Self { Self(.multipart(.success(form))) }
}

extension HTTPClient.Content {
    /// A value encoded as JSON.
    ///
    /// Without `encoder`, the call uses the encoder of the scope's request serializer if that serializer writes JSON,
    /// and a default `JSONEncoder` otherwise. A value that cannot be encoded fails the call with
    /// ``SockeyeError/Code-swift.struct/encodingFailed``, with the encoder's error as the cause.
    public static func json(_ value: some Encodable, encoder: JSONEncoder? = nil) -> Self {
        Self(.json(value, encoder))
    }

    /// A JSON value, such as a nested literal with values of different types. Members of objects keep their order.
    public static func json(_ value: JSONValue) -> Self { Self(.jsonValue(value)) }

    /// A JSON object from a literal with constants or variables as values. See ``JSONValue/Object/Literal``.
    ///
    /// ```swift
    /// try await client.post(url, .json(["name": name, "age": age, "parent": nil]))
    /// ```
    @_disfavoredOverload
    public static func json(_ object: JSONValue.Object.Literal) -> Self { Self(.json(object, nil)) }
}
