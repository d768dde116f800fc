public import SockeyeEngine
public import SockeyeHTTP

extension IncomingResponse {
    /// What the server says about showing or saving the content (RFC 6266); nil when it says nothing.
    public var contentDisposition: ContentDisposition? {
        // A field is bytes; as text those outside ASCII would be lost.
        rawValues(of: .contentDisposition).first.map { ContentDisposition(fieldBytes: $0) }
    }

    /// A name for the content that is safe to create in a folder: of Content-Disposition, else of the URL that answered,
    /// else `download`. See ``SuggestedFileName``.
    public var suggestedFileName: String {
        SuggestedFileName.make(contentDisposition, url: url)
    }
}
