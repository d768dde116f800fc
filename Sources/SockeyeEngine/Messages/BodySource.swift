package import SockeyeCore
package import SockeyeHTTP

/// A source from which a reader fetches the pieces of a response body. Only one task at a time may fetch.
package protocol BodySource: AnyObject, Sendable {
    /// Returns the next non-empty piece; nil at the end and on every later call.
    func next() async throws(SockeyeError) -> Bytes?

    /// The trailer fields; nil until `next` has returned nil, and for a body without trailers.
    var trailers: Headers? { get }

    /// Stops storing the content of a discarded response in a cache. Without this call, the cache may read the rest of
    /// the content in the background, and occupy a connection that the next request may need.
    func abandonStoring()
}

extension BodySource {
    /// Does nothing, because most sources do not store their content.
    package func abandonStoring() {}
}

/// The state of a body when its response is created: the bytes that have arrived, and the source of the rest.
package struct BodyContent: Sendable {
    /// The part that has already arrived.
    package var first: Bytes
    /// The source of the rest; nil if `first` is the whole body.
    package var source: (any BodySource)?
    /// The number of bytes that a reader of the whole body gets. Nil if not known beforehand, for example because the
    /// client undoes a content coding.
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
