public import SockeyeEngine

/// Hands over the response itself, at its head and whatever its status: what a call does that asks for no value.
public struct PlainResponseSerializer: ResponseSerializer, Hashable {
    /// Makes a serializer.
    public init() {}

    /// The response.
    public func value(of response: Response) -> Response { response }
}
