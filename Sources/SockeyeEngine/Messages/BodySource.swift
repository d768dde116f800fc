package import SockeyeCore
package import SockeyeHTTP

/// A pull source of the pieces of a response body. Only one task at a time may read it.
package protocol BodySource: AnyObject, Sendable {
    /// Returns the next non-empty piece; nil at the end and on every later call.
    func next() async throws(SockeyeError) -> Bytes?

    /// The trailer fields; nil until `next` has returned nil, and for a body without trailers.
    var trailers: Headers? { get }

    /// Stops storing the content of a discarded response in a cache. Otherwise the cache would first read the rest of
    /// the content, on a connection that the next request may need.
    func abandonStoring()
}

extension BodySource {
    /// Does nothing: only the sources of a cache store their content.
    package func abandonStoring() {}
}

/// The parts of a body at the creation of its response.
package struct BodyContent: Sendable {
    /// The part that has already arrived.
    package var first: Bytes
    /// The source of the rest; nil if `first` is the whole body.
    package var source: (any BodySource)?
    /// The length of the body as delivered, if known beforehand.
    package var expectedLength: Int?
    /// The trailer fields, if the whole body has arrived.
    package var trailers: Headers?

    package init(
        first: Bytes = Bytes(), source: (any BodySource)? = nil, expectedLength: Int?, trailers: Headers? = nil
    ) {
        self.first = first
        self.source = source
        self.expectedLength = expectedLength
        self.trailers = trailers
    }
}
