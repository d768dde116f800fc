public import SockeyeEngine

/// Hands over the events of an XML body, which is read while they are iterated; see ``XMLEvents``. The counterpart of
/// `AFXMLParserResponseSerializer`.
///
/// Accepts 2xx with the types of ``XMLResponseSerializer/contentTypes``.
public struct XMLEventsResponseSerializer: ResponseSerializer, Codable {
    /// Which responses are accepted.
    public var validation: ResponseValidation
    /// What the document may make its parser do.
    public var limits: XMLLimits

    /// Makes a serializer.
    public init(
        limits: XMLLimits = XMLLimits(),
        validation: ResponseValidation = ResponseValidation(contentTypes: XMLResponseSerializer.contentTypes)
    ) {
        self.limits = limits
        self.validation = validation
    }

    /// `application/xml, text/xml`.
    public var accept: String? { XMLResponseSerializer.accept }

    /// Validates the response; its body stays unread.
    public func value(of response: Response) async throws(SockeyeError) -> XMLEvents {
        XMLEvents(try await response.validated(validation), limits: limits)
    }
}

extension ResponseSerializer where Self == XMLEventsResponseSerializer {
    /// The events of an XML body, as it comes; see ``XMLEvents``.
    public static var xmlEvents: Self { XMLEventsResponseSerializer() }

    /// The events of an XML body, within other limits.
    public static func xmlEvents(limits: XMLLimits) -> Self { XMLEventsResponseSerializer(limits: limits) }
}
