import SockeyeCore

/// Parses a document a few kilobytes at a time, so that whoever waits for it can give up in between.
struct XMLDocumentReader {
    private let bytes: Bytes
    private let parser: XMLPushParser
    private var builder: XMLTreeBuilder
    private var position = 0

    init(_ bytes: Bytes, charset: String?, options: XMLDocumentOptions) {
        self.bytes = bytes
        parser = XMLPushParser(charset: charset, limits: options.limits)
        builder = XMLTreeBuilder(options: options)
    }

    /// Parses some more; the document if there is no more.
    mutating func next() throws(XMLError) -> XMLDocument? {
        let isLast = position == bytes.count
        if isLast {
            parser.finish()
        } else {
            let end = min(position + XMLPushParser.step, bytes.count)
            parser.feed(bytes.slice(position..<end))
            position = end
        }
        try builder.append(parser)
        if let failure = parser.failure { throw failure }
        guard isLast else { return nil }
        guard let document = builder.document else { throw parser.error(XMLFault(.empty, "there is no document")) }
        return document
    }
}
