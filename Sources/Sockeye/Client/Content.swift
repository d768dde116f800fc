public import FoundationEssentials
import SockeyeCore
import SockeyeEngine
public import SockeyeSerialization

extension HTTPClient {
    /// What a call sends: content and its media type.
    ///
    /// ```swift
    /// try await api.post("items", .json(item))
    /// try await api.post("login", .form(["user": name, "roles": roles]))
    /// try await api.put("blob", .stream(chunks, length: size))
    /// ```
    ///
    /// Nothing is encoded, opened or read before the call is made, with the encoder and the styles of the client's scope.
    /// Content-Type is sent unless the call or its scope has that field; a multipart form always brings its own.
    ///
    /// A format of one's own is a static member:
    ///
    /// ```swift
    /// extension HTTPClient.Content {
    ///     static func protobuf(_ message: some Message) -> Self {
    ///         Self(contentType: "application/protobuf") { .bytes(try message.serializedBytes()) }
    ///     }
    /// }
    /// let reply = try await api.post("items", .protobuf(item), as: .protobuf(Reply.self))
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
        let contentType: String?

        init(_ source: Source, contentType: String? = nil) {
            self.source = source
            self.contentType = contentType
        }

        /// Makes content of a format of one's own.
        ///
        /// - Parameters:
        ///   - contentType: What Content-Type says; nil for nothing.
        ///   - makeBody: Called once, when the call is made. What it throws besides a ``SockeyeError`` is the
        ///     ``SockeyeError/underlying`` of one with the code ``SockeyeError/Code-swift.struct/encodingFailed``.
        public init(contentType: String?, body makeBody: @escaping () throws -> OutgoingRequest.Body) {
            self.init(.made(makeBody), contentType: contentType)
        }
    }
}

extension HTTPClient.Content {
    /// Any body, such as one with trailers or one that is throttled.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - contentType: What Content-Type says; nil, the default, for nothing.
    public static func body(_ body: OutgoingRequest.Body, contentType: String? = nil) -> Self {
        Self(.body(body), contentType: contentType)
    }

    /// Bytes in memory, from any sequence of them: `[UInt8]`, `Data`, ``Bytes`` and so on.
    ///
    /// - Parameters:
    ///   - bytes: The bytes, which are copied unless they are ``Bytes``.
    ///   - contentType: What Content-Type says; nil, the default, for nothing.
    public static func bytes(_ bytes: some Sequence<UInt8>, contentType: String? = nil) -> Self {
        Self(.body(.bytes(bytes)), contentType: contentType)
    }

    /// Text in UTF-8.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - contentType: What Content-Type says. Default `text/plain; charset=utf-8`.
    public static func text(
        _ text: some StringProtocol, contentType: String? = "text/plain; charset=utf-8"
    ) -> Self {
        Self(.body(.string(text)), contentType: contentType)
    }

    /// The content of a file, which is looked at when the call is made, and opened anew for each attempt. See
    /// ``OutgoingRequest/Body/file(_:)``; what that throws is an error of the call.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - contentType: What Content-Type says; nil, the default, for nothing.
    public static func file(_ path: String, contentType: String? = nil) -> Self {
        Self(.file(path), contentType: contentType)
    }

    /// A form as HTML has it, `application/x-www-form-urlencoded`.
    ///
    /// ```swift
    /// try await api.post("login", .form(["user": name, "roles": ["x", "y"], "meta": ["k": "v"]]))
    /// // meta[k]=v&roles=x&roles=y&user=…, percent-encoded
    /// ```
    ///
    /// Style and charset are those of the request serializer of the scope if that writes forms, else the standard style and
    /// UTF-8. What the style refuses is ``SockeyeError/Code-swift.struct/encodingFailed``.
    public static func form(_ parameters: RequestParameters) -> Self { Self(.form(parameters)) }

    /// Parameters for the request serializer of the scope, which decides by the method how they are sent: in the URL, as
    /// a form, as JSON and so on. Without one they go into the URL for GET, HEAD and DELETE, and into a form for others.
    /// The counterpart of AFNetworking's `parameters:`.
    public static func parameters(_ parameters: RequestParameters) -> Self { Self(.parameters(parameters)) }

    /// A multipart form (RFC 7578). The counterpart of `constructingBodyWithBlock:`.
    ///
    /// ```swift
    /// try await client.post("photos", .multipart { form in
    ///     form.field("title", title)
    ///     try form.file("photo", at: path)
    /// })
    /// ```
    ///
    /// Content-Type is the form's, whatever call or scope have. A form without parts is sent as a request without a body;
    /// with GET and HEAD the call fails with ``SockeyeError/Code-swift.struct/invalidRequest``.
    ///
    /// - Parameter build: Fills the form; see ``MultipartForm``. Called once, at once. What it throws is an error of the
    ///   call: ``SockeyeError/Code-swift.struct/encodingFailed`` unless it is one of the library's own.
    public static func multipart(_ build: (inout MultipartForm) throws -> Void) -> Self {
        Self(
            .multipart(
                Result {
                    var form = MultipartForm()
                    try build(&form)
                    return form
                }))
    }

    /// A multipart form that was made before. See ``multipart(_:)-((MultipartForm)->Void)``.
    public static func multipart(_ form: MultipartForm) -> Self { Self(.multipart(.success(form))) }
}

extension HTTPClient.Content {
    /// A value as JSON.
    ///
    /// Without an encoder of its own it is encoded by that of the scope's request serializer if that writes JSON, else by
    /// a plain `JSONEncoder`. What cannot be encoded is ``SockeyeError/Code-swift.struct/encodingFailed``, with the
    /// encoder's error as its cause.
    public static func json(_ value: some Encodable, encoder: JSONEncoder? = nil) -> Self {
        Self(.json(value, encoder))
    }

    /// JSON as it is, such as a literal whose values may differ in type and be nested; its members keep their order.
    public static func json(_ value: JSONValue) -> Self { Self(.jsonValue(value)) }

    /// A JSON object as a literal whose values may be variables. See ``JSONValue/Object/Literal``.
    ///
    /// ```swift
    /// try await client.post(url, .json(["name": name, "age": age, "parent": nil]))
    /// ```
    @_disfavoredOverload
    public static func json(_ object: JSONValue.Object.Literal) -> Self { Self(.json(object, nil)) }
}
