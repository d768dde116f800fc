public import FoundationEssentials
import SockeyeCore
public import SockeyeEngine

/// Hands the body over as it is, in Foundation's `Data`.
///
/// Accepts 2xx of any type. The counterpart of `AFHTTPResponseSerializer`.
public struct DataResponseSerializer: BodyResponseSerializer {
    /// What is done with the body before.
    public var handling: BodyHandling

    /// Makes a serializer.
    public init(handling: BodyHandling = BodyHandling()) {
        self.handling = handling
    }

    /// A copy of the body.
    public func value(from body: Bytes, of response: IncomingResponse) -> Data { Data(body) }
}

extension ResponseSerializer where Self == DataResponseSerializer {
    /// The body in Foundation's `Data`; see ``DataResponseSerializer``.
    public static var data: Self { DataResponseSerializer() }
}
