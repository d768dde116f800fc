public import HTTPTypes
import SockeyeCore
public import SockeyeHTTP
public import SockeyeSerialization

// The names `text` and `json` follow `HTTPClient.Content`, which makes request bodies.

extension TestServerResponse {
    /// A status without a body, given by name: `.status(.notFound)`.
    public static func status(_ status: HTTPResponse.Status, headers: Headers = [:]) -> TestServerResponse {
        TestServerResponse(.named(status), headers, .bytes(Bytes()))
    }

    /// A text in UTF-8.
    public static func text(
        _ text: String, status: HTTPResponse.Status, headers: Headers = [:]
    ) -> TestServerResponse {
        self.text(text, headers: headers).status(status)
    }

    /// A value encoded as JSON. A value that cannot be encoded makes the handler fail.
    public static func json(
        _ value: some Encodable, status: HTTPResponse.Status, headers: Headers = [:]
    ) -> TestServerResponse {
        json(value, headers: headers).status(status)
    }

    /// A JSON value, for instance a nested literal of mixed types; its members keep their order.
    public static func json(
        _ value: JSONValue, status: HTTPResponse.Status = .ok, headers: Headers = [:]
    ) -> TestServerResponse {
        TestServerResponse(.named(status), headers, .bytes(value.bytes()), type: "application/json")
    }

    /// A JSON object as a literal; its values may be variables. See ``/Sockeye/JSONValue/Object/Literal``.
    @_disfavoredOverload
    public static func json(
        _ object: JSONValue.Object.Literal, status: HTTPResponse.Status = .ok, headers: Headers = [:]
    ) -> TestServerResponse {
        encoded(object, headers).status(status)
    }

    /// An HTML page in UTF-8.
    public static func html(
        _ text: String, status: HTTPResponse.Status = .ok, headers: Headers = [:]
    ) -> TestServerResponse {
        TestServerResponse(.named(status), headers, .bytes(Bytes(text)), type: "text/html; charset=utf-8")
    }

    /// Returns this response with another status.
    public func status(_ status: HTTPResponse.Status) -> TestServerResponse {
        var copy = self
        copy.status = .named(status)
        return copy
    }

    /// Returns this response with one more interim response before it, such as 103 (Early Hints, RFC 8297). May be
    /// repeated.
    public func after(interim status: HTTPResponse.Status, headers: Headers = [:]) -> TestServerResponse {
        var copy = self
        copy.interims.append((.named(status), headers))
        return copy
    }
}

extension HTTPResponse.Status {
    /// Returns the status with its reason phrase; if it has no reason phrase, with the registered phrase.
    static func named(_ status: HTTPResponse.Status) -> HTTPResponse.Status {
        status.reasonPhrase.isEmpty ? known(status.code) : status
    }
}
