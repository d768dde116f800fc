package import HTTPTypes
package import SockeyeCore

/// What a body consists of when its response is made.
package struct BodyContent: Sendable {
    /// What of it is here already.
    package var first: Bytes
    /// Where the rest comes from; nil when `first` is all.
    package var source: (any BodySource)?
    /// The length of the body as it is delivered, where known beforehand.
    package var expectedLength: Int?
    /// The trailer fields, where the whole body is here.
    package var trailers: HTTPFields?

    package init(
        first: Bytes = Bytes(), source: (any BodySource)? = nil, expectedLength: Int?, trailers: HTTPFields? = nil
    ) {
        self.first = first
        self.source = source
        self.expectedLength = expectedLength
        self.trailers = trailers
    }
}
