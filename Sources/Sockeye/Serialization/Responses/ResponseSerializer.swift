public import SockeyeEngine

/// Converts a response to a value. The counterpart of AFNetworking's `AFURLResponseSerialization`.
///
/// ```swift
/// let users = try await client.get("users", as: .json([User].self))
/// ```
///
/// A ``BodySerializer`` converts a complete body; for a format of your own, create one with a closure. To process a
/// body of any size without collecting it, adopt the protocol and read ``IncomingResponse/body`` in ``value(of:)``, the
/// only requirement without a default:
///
/// ```swift
/// struct LineCount: ResponseSerializer {
///     func value(of response: IncomingResponse) async throws -> Int {
///         var lines = 0
///         for try await chunk in try await response.validated().body {
///             lines += chunk.count { $0 == 0x0A }
///         }
///         return lines
///     }
/// }
///
/// extension ResponseSerializer where Self == LineCount {
///     // as: .lineCount
///     static var lineCount: Self { LineCount() }
/// }
/// ```
///
/// A serializer is a value; many requests may use it concurrently.
///
/// A minor version may add requirements, each with a default implementation; see <doc:Stability>.
public protocol ResponseSerializer<Value>: Sendable {
    /// The type of the value.
    associatedtype Value

    /// The Accept field (RFC 9110 12.5.1) of the request; nil for none. Default nil. An Accept field that the call
    /// sets, or that the client adds to all requests (see `scoped` of ``HTTPClient``), takes precedence.
    var accept: String? { get }

    /// Converts the response. If this method reads only a part of ``IncomingResponse/body``, the rest is discarded.
    ///
    /// - Throws: A ``SockeyeError`` is passed to the caller as it is, and `CancellationError` becomes
    ///   ``SockeyeError/Code-swift.struct/cancelled``. Any other error becomes the ``SockeyeError/underlying`` error of
    ///   a ``SockeyeError/Code-swift.struct/decodingFailed``. The message then has the first 256 characters of the
    ///   underlying error's description. For a `DecodingError` the message has only the kind and the place of the
    ///   error, without text of the body.
    func value(of response: IncomingResponse) async throws -> Value
}

extension ResponseSerializer {
    /// Nil.
    public var accept: String? { nil }
}
