public import SockeyeEngine

/// Turns a response into a value. The counterpart of AFNetworking's `AFURLResponseSerialization`.
///
/// ```swift
/// let users = try await client.get("users", as: .json([User].self))
/// ```
///
/// Most serializers want the whole body: those adopt ``BodyResponseSerializer``, which validates, collects and limits for
/// them. One that adopts only this protocol gets the response at its head and reads ``IncomingResponse/body`` itself, so that a
/// body of any size can become a value without being collected.
///
/// A serializer is a value, used by any number of requests at once. For `.name` at the place of use, extend the protocol:
///
/// ```swift
/// extension ResponseSerializer where Self == CSVResponseSerializer {
///     static var csv: Self { CSVResponseSerializer() }
/// }
/// ```
public protocol ResponseSerializer<Value>: Sendable {
    /// What comes out.
    associatedtype Value

    /// What the request says in Accept (RFC 9110 12.5.1), unless it has that field; nil for nothing. Default nil.
    var accept: String? { get }

    /// Makes the value. Reads as much of ``IncomingResponse/body`` as it needs; the rest is dropped with the response.
    ///
    /// - Throws: A ``SockeyeError`` reaches the caller as it is, any other error as the ``SockeyeError/underlying`` of one
    ///   with the code ``SockeyeError/Code-swift.struct/decodingFailed``.
    func value(of response: IncomingResponse) async throws -> Value
}

extension ResponseSerializer {
    /// Nothing.
    public var accept: String? { nil }
}
