#if XML
import SockeyeCore

/// A parser of a document in memory. It parses 4 KiB per step, so that its caller can stop between two steps.
struct XMLDocumentReader {
    private let bytes: Bytes
    private let parser: XMLPushParser
    private var builder: XMLTreeBuilder
    private var position = 0

    init(_ bytes: Bytes, charset: String?, options: XMLDocument.Options) {
        self.bytes = bytes
        parser = XMLPushParser(charset: charset, limits: options.limits)
        builder = XMLTreeBuilder(options: options)
    }

    /// Parses the next bytes, or ends the document if all bytes were parsed. Returns the document at its end, and nil
    /// before.
    mutating func next() throws(XMLError) -> XMLDocument? {
        let isLast = position == bytes.count
        if isLast {
            parser.finish()
        } else {
            let end = min(position + XMLPushParser.stepSize, bytes.count)
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

/// A builder of a document tree from the events of the parser.
struct XMLTreeBuilder {
    private let options: XMLDocument.Options
    private var open: [XMLDocument.Element] = []
    private var root: XMLDocument.Element?
    private var prolog: [XMLDocument.Node] = []
    private var epilog: [XMLDocument.Node] = []
    /// Text that is not a node yet, because the next event may continue it.
    private var run = ""
    private var runIsCDATA = false
    private var nodeCount = 0
    private var textSize = 0

    init(options: XMLDocument.Options) {
        self.options = options
    }

    /// Adds the events that the parser has produced.
    mutating func append(_ parser: XMLPushParser) throws(XMLError) {
        do throws(XMLFault) {
            for event in parser.takeEvents() { try append(event) }
        } catch {
            throw parser.error(error)
        }
    }

    /// The document; nil if there is no root element.
    var document: XMLDocument? {
        root.map { XMLDocument(root: $0, prolog: prolog, epilog: epilog) }
    }

    private mutating func append(_ event: XMLEvent) throws(XMLFault) {
        switch event {
        case .startElement(let tag):
            try count(nodes: 1 + tag.attributes.count + tag.namespaces.count)
            for attribute in tag.attributes { try count(text: attribute.value) }
            endRun()
            open.append(XMLDocument.Element(tag))
        case .endElement:
            endRun()
            close()
        case .text(let text): try appendText(text, isCDATA: false)
        case .cdata(let text): try appendText(text, isCDATA: !options.mergesCDATA)
        case .comment(let text):
            try count(nodes: 1, text: text)
            add(.comment(text))
        case .processingInstruction(let target, let data):
            try count(nodes: 1, text: data)
            add(.processingInstruction(target: target, data: data))
        }
    }

    private mutating func count(nodes: Int = 0, text: String = "") throws(XMLFault) {
        nodeCount += nodes
        textSize += text.utf8.count
        guard nodeCount <= options.maximumNodes else {
            throw XMLFault(.tooManyNodes, "the document has more than \(options.maximumNodes) nodes")
        }
        guard textSize <= options.maximumTextSize else {
            throw XMLFault(.tooMuchText, "the document has more than \(options.maximumTextSize) bytes of text")
        }
    }

    /// Adds text. Joins consecutive CDATA events: the parser reports a long section in several pieces, and a piece
    /// cannot be distinguished from a section of its own.
    private mutating func appendText(_ text: String, isCDATA: Bool) throws(XMLFault) {
        guard !text.isEmpty else { return }
        if isCDATA != runIsCDATA { endRun() }
        try count(nodes: run.isEmpty ? 1 : 0, text: text)
        runIsCDATA = isCDATA
        run += text
    }

    private mutating func endRun() {
        guard !run.isEmpty else { return }
        let text = run
        run = ""
        place(runIsCDATA ? .cdata(text) : .text(text))
    }

    private mutating func add(_ node: XMLDocument.Node) {
        endRun()
        place(node)
    }

    private mutating func place(_ node: XMLDocument.Node) {
        if !open.isEmpty {
            open[open.count - 1].children.append(node)
        } else if root == nil {
            prolog.append(node)
        } else {
            epilog.append(node)
        }
    }

    private mutating func close() {
        guard var element = open.popLast() else { return }
        if !options.keepsWhitespace, element.children.contains(where: \.isElement) {
            element.children.removeAll(where: \.isBlank)
        }
        if open.isEmpty { root = element } else { place(.element(element)) }
    }
}

extension XMLDocument.Node {
    fileprivate var isElement: Bool {
        if case .element = self { true } else { false }
    }

    /// True if the node is text that consists only of XML's four white space characters.
    fileprivate var isBlank: Bool {
        guard case .text(let text) = self else { return false }
        return text.utf8.allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    }
}
#endif
