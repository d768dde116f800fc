public import SockeyeEngine

/// Turns a response into a value. The counterpart of AFNetworking's `AFURLResponseSerialization`.
///
/// ```swift
/// let users = try await client.get("users", as: .json([User].self))
/// ```
///
/// A ``BodySerializer`` makes a value of the whole body, by a closure if the format is your own. Adopt the protocol, whose one
/// requirement without a default is ``value(of:)``, to read ``IncomingResponse/body`` yourself, so that a body of any size can
/// become a value without being collected:
///
/// ```swift
/// struct LineCount: ResponseSerializer {
///     func value(of response: IncomingResponse) async throws -> Int {
///         var lines = 0
///         for try await chunk in try await response.validated().body { lines += chunk.count { $0 == 0x0A } }
///         return lines
///     }
/// }
///
/// extension ResponseSerializer where Self == LineCount {
///     static var lineCount: Self { LineCount() }  // as: .lineCount
/// }
/// ```
///
/// A serializer is a value, used by any number of requests at once.
///
/// A minor version may add requirements, each with a default implementation; see <doc:Stability>.
public protocol ResponseSerializer<Value>: Sendable {
    /// The type of the value.
    associatedtype Value

    /// The request's Accept field (RFC 9110 12.5.1) unless call or scope have one; nil for none. Default nil.
    var accept: String? { get }

    /// Makes the value. Reads as much of ``IncomingResponse/body`` as it needs; the rest is dropped with the response.
    ///
    /// - Throws: A ``SockeyeError`` reaches the caller as it is, any other error as the ``SockeyeError/underlying`` of one
    ///   with the code ``SockeyeError/Code-swift.struct/decodingFailed``, whose message has the error's description.
    func value(of response: IncomingResponse) async throws -> Value
}

extension ResponseSerializer {
    /// Nil.
    public var accept: String? { nil }
}
