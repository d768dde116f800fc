import SockeyeEngine
import SockeyeEssentials
import SockeyeHTTP
import SockeyeSerialization

extension HTTPClient.Content {
    /// Encodes this content and returns `request` with the encoded content and its Content-Type.
    ///
    /// - Parameter serialization: The serializers of the scope (a client with its own defaults) that sends the request.
    ///   Nil if the scope has none.
    func added(to request: OutgoingRequest, by serialization: ScopeSerialization?) throws(SockeyeError)
        -> OutgoingRequest
    {
        if case .multipart(let form) = source { return try Self.adding(form, to: request) }
        var request = request
        do {
            switch source {
            case .body(let body): request.setContent(body, contentType)
            case .file(let path): request.setContent(try .file(path), contentType)
            case .made(let make): request.setContent(try make(), contentType)
            case .json(let value, let ownEncoder):
                let encoder = ownEncoder ?? (serialization?.requestSerializer as? ParameterSerializer)?.jsonEncoder
                request.setContent(try .json(value, encoder: encoder), "application/json")
            case .jsonValue(let value): request.setContent(.json(value), "application/json")
            case .form(let parameters):
                let serializer = ParameterSerializer.forForms(serialization)
                request.setContent(try serializer.body(of: parameters), serializer.contentType)
            case .parameters(let parameters):
                guard let serialization else {
                    return try ParameterSerializer.form.serialize(parameters, into: request)
                }
                return try serialization.serialize(parameters, into: request)
            case .multipart: break
            }
        } catch {
            throw SockeyeError.encodingFailed("the content of the request cannot be encoded", error).about(
                request.identity)
        }
        return request
    }

    private static func adding(
        _ form: Result<MultipartForm, any Error>, to request: OutgoingRequest
    ) throws(SockeyeError) -> OutgoingRequest {
        var request = request
        do {
            try request.setBody(form.get())
        } catch {
            throw SockeyeError(
                .encodingFailed, wrapping: error, "the multipart form could not be built", request: request)
        }
        return request
    }
}

extension ParameterSerializer {
    /// Returns the scope's serializer if it writes forms, or else a form serializer with the scope's query style.
    fileprivate static func forForms(_ serialization: ScopeSerialization?) -> ParameterSerializer {
        guard let serialization else { return .form }
        if let own = serialization.requestSerializer as? ParameterSerializer, own.isForm { return own }
        return .form(serialization.queryStyle)
    }
}

extension OutgoingRequest {
    fileprivate var identity: RequestIdentity { RequestIdentity(method: method.rawValue, url: url) }

    /// Sets the body, and Content-Type unless the request has that field.
    fileprivate mutating func setContent(_ body: OutgoingRequest.Body, _ contentType: String?) {
        change { values in
            values.body = body
            if let contentType, !values.headers.contains(.contentType) {
                values.headers.append(.contentType, contentType)
            }
        }
    }
}
