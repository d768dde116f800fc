public import SockeyeEngine
public import SockeyeHTTP

extension IncomingResponse {
    /// The parsed Content-Disposition (RFC 6266), which says whether to display or save the content; nil if the field
    /// is missing.
    public var contentDisposition: ContentDisposition? {
        // From the received bytes: `ContentDisposition` decodes them itself, as UTF-8 or ISO-8859-1.
        rawValues(of: .contentDisposition).first.map { ContentDisposition(fieldBytes: $0) }
    }

    /// A safe file name for the content. The name is taken from Content-Disposition or, if that proposes no usable
    /// name, from the URL of the response. If the URL has no usable name either, the name is `download`.
    ///
    /// The name has no path separators, control characters or characters that change the writing direction. It does not
    /// start or end with a dot or blank, does not start with a dash, and is not a name reserved by Windows. It does not
    /// end in `.sockeye-resume`, `.resume` or `.part`, and has at most 255 bytes.
    public var suggestedFileName: String {
        SuggestedFileName.make(contentDisposition, url: url)
    }
}
