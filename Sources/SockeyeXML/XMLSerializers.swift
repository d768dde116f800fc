#if XML
import Sockeye
package import SockeyeCore
public import SockeyeEngine
import SockeyeSerialization

/// The body format of `.xml`.
package struct XMLDocumentFormat: BodyFormat {
    static let accept = "application/xml, text/xml"

    /// The parts of the document to keep, and the limits.
    package var options: XMLDocument.Options

    package init(options: XMLDocument.Options = XMLDocument.Options()) {
        self.options = options
    }

    package func value(from body: Bytes, _: BodyHandling, of response: IncomingResponse) throws -> XMLDocument {
        var reader = XMLDocumentReader(body, charset: response.contentType?.charset, options: options)
        while !Task.isCancelled {
            do throws(XMLError) {
                if let document = try reader.next() { return document }
            } catch {
                throw response.failure(error, body: body)
            }
        }
        throw response.cancellation
    }
}

extension ResponseSerializer where Self == BodySerializer<XMLDocument> {
    /// An XML document as a tree of values; see ``XMLDocument``. The counterpart of `AFXMLDocumentResponseSerializer`.
    ///
    /// Accepts 2xx with the types of ``XMLDocument/mediaTypes``. The charset of Content-Type takes precedence over the
    /// declaration in the document (RFC 7303). No DTD or external entity is ever fetched.
    ///
    /// For a document that is refused, throws ``/Sockeye/SockeyeError/Code-swift.struct/decodingFailed`` with an
    /// ``XMLError`` as its cause. The document is parsed in the caller's task; cancelling the task stops the parsing.
    public static var xml: Self { .xml(options: XMLDocument.Options()) }

    /// An XML document; see `.xml`.
    ///
    /// - Parameter options: The parts of the document to keep, and the limits.
    public static func xml(options: XMLDocument.Options) -> Self {
        XMLDocument.serializer(XMLDocumentFormat(options: options))
    }
}

extension XMLDocument {
    /// The media types of XML: `application/xml` and `text/xml`, as in AFNetworking, and those that end in `+xml` (RFC
    /// 7303, 8), such as `application/rss+xml` and `image/svg+xml`.
    public static let mediaTypes = ["application/xml", "text/xml", "*/*+xml"]
}

extension XMLDocument: FormattedValue {
    package static func serializer(_ format: XMLDocumentFormat) -> BodySerializer<XMLDocument> {
        BodySerializer(
            format, accept: XMLDocumentFormat.accept,
            handling: BodyHandling(contentTypes: XMLDocument.mediaTypes))
    }
}

/// A serializer that returns the events of an XML body; see ``XMLEvents``. The body is read during the iteration. The
/// counterpart of `AFXMLParserResponseSerializer`.
///
/// Accepts 2xx with the types of ``XMLDocument/mediaTypes``.
public struct XMLEventsResponseSerializer: ResponseSerializer {
    /// The rules for accepting a response.
    public var validation: IncomingResponse.Validation
    /// The limits on the document.
    public var limits: XMLLimits

    /// Creates a serializer.
    public init(
        limits: XMLLimits = XMLLimits(),
        validation: IncomingResponse.Validation = IncomingResponse.Validation(contentTypes: XMLDocument.mediaTypes)
    ) {
        self.limits = limits
        self.validation = validation
    }

    /// The Accept field: `application/xml, text/xml`.
    public var accept: String? { XMLDocumentFormat.accept }

    /// Validates the response. If the response is accepted, its body is not read before the iteration.
    public func value(of response: IncomingResponse) async throws(SockeyeError) -> XMLEvents {
        XMLEvents(try await response.validated(validation), limits: limits)
    }
}

extension ResponseSerializer where Self == XMLEventsResponseSerializer {
    /// The events of an XML body, parsed while it is received; see ``XMLEvents``.
    public static var xmlEvents: Self { XMLEventsResponseSerializer() }

    /// The events of an XML body, with limits other than the defaults.
    public static func xmlEvents(limits: XMLLimits) -> Self { XMLEventsResponseSerializer(limits: limits) }
}

extension IncomingResponse {
    /// Makes the error of a call with a body that is not acceptable XML.
    func failure(_ error: XMLError, body: Bytes?) -> SockeyeError {
        decodingFailure(
            error, body: body, excerpt: "line \(error.line), column \(error.column): \(error.excerpt)",
            message: "the body is not acceptable XML: \(error.kind) at line \(error.line), column \(error.column)")
    }
}

extension XMLDocumentFormat: Codable {
    private static let archive = Archive<Self>(.value("options", \.options))

    package init(from decoder: any Decoder) throws { self = try Self.archive.read(from: decoder, over: Self()) }

    package func encode(to encoder: any Encoder) throws { try Self.archive.write(self, to: encoder) }
}

extension XMLEventsResponseSerializer: Codable {
    private static let archive = Archive<Self>(
        .nested("validation", \.validation, IncomingResponse.Validation.archive), .value("limits", \.limits))

    /// Decodes a serializer; missing settings have their defaults.
    public init(from decoder: any Decoder) throws {
        self = try Self.archive.read(from: decoder, over: Self())
    }

    /// Encodes validation and limits.
    public func encode(to encoder: any Encoder) throws { try Self.archive.write(self, to: encoder) }
}
#endif
