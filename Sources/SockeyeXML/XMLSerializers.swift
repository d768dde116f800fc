#if XML
import Sockeye
package import SockeyeCore
public import SockeyeEngine
import SockeyeSerialization

/// The format of `.xml`.
package struct XMLDocumentFormat: BodyFormat {
    static let accept = "application/xml, text/xml"

    /// What to keep of the document, and how much to accept.
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
    /// Accepts 2xx with the types of ``XMLDocument/mediaTypes``. The charset of Content-Type outranks what the document declares (RFC 7303). Nothing is ever
    /// fetched on behalf of a document, and no DTD is loaded.
    ///
    /// What is not accepted is ``/Sockeye/SockeyeError/Code-swift.struct/decodingFailed`` with an ``XMLError`` as its cause.
    /// The document is parsed on the caller's thread; a cancelled task ends that.
    public static var xml: Self { .xml(options: XMLDocument.Options()) }

    /// An XML document; see `.xml`.
    ///
    /// - Parameter options: What to keep of the document, and how much to accept.
    public static func xml(options: XMLDocument.Options) -> Self {
        XMLDocument.serializer(XMLDocumentFormat(options: options))
    }
}

extension XMLDocument {
    /// The media types that are taken for XML: AFNetworking's `application/xml` and `text/xml`, and unlike there those that
    /// end in `+xml` (RFC 7303, 8), such as `application/rss+xml` and `image/svg+xml`.
    public static let mediaTypes = ["application/xml", "text/xml", "*/*+xml"]
}

extension XMLDocument: FormattedValue {
    package static func serializer(_ format: XMLDocumentFormat) -> BodySerializer<XMLDocument> {
        BodySerializer(
            format, accept: XMLDocumentFormat.accept,
            handling: BodyHandling(contentTypes: XMLDocument.mediaTypes))
    }
}

/// Hands over the events of an XML body, which is read while they are iterated; see ``XMLEvents``. The counterpart of
/// `AFXMLParserResponseSerializer`.
///
/// Accepts 2xx with the types of ``XMLDocument/mediaTypes``.
public struct XMLEventsResponseSerializer: ResponseSerializer {
    /// Which responses are accepted.
    public var validation: IncomingResponse.Validation
    /// What the document may make its parser do.
    public var limits: XMLLimits

    /// Makes a serializer.
    public init(
        limits: XMLLimits = XMLLimits(),
        validation: IncomingResponse.Validation = IncomingResponse.Validation(contentTypes: XMLDocument.mediaTypes)
    ) {
        self.limits = limits
        self.validation = validation
    }

    /// `application/xml, text/xml`.
    public var accept: String? { XMLDocumentFormat.accept }

    /// Validates the response; its body stays unread.
    public func value(of response: IncomingResponse) async throws(SockeyeError) -> XMLEvents {
        XMLEvents(try await response.validated(validation), limits: limits)
    }
}

extension ResponseSerializer where Self == XMLEventsResponseSerializer {
    /// The events of an XML body, as it comes; see ``XMLEvents``.
    public static var xmlEvents: Self { XMLEventsResponseSerializer() }

    /// The events of an XML body, within other limits.
    public static func xmlEvents(limits: XMLLimits) -> Self { XMLEventsResponseSerializer(limits: limits) }
}

extension IncomingResponse {
    /// The error of a call whose body is no XML.
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

    /// Reads a serializer; what is missing is the default.
    public init(from decoder: any Decoder) throws {
        self = try Self.archive.read(from: decoder, over: Self())
    }

    /// Writes validation and limits.
    public func encode(to encoder: any Encoder) throws { try Self.archive.write(self, to: encoder) }
}
#endif
