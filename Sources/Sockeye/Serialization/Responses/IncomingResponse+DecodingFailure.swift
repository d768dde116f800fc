package import SockeyeCore
package import SockeyeEngine
import SockeyeHTTP
import SockeyeSerialization

extension IncomingResponse {
    /// Returns the error for a body that a serializer cannot convert.
    ///
    /// - Parameters:
    ///   - body: The body; nil if it is not known.
    ///   - excerpt: The text around the fault; nil if it is not known.
    ///   - message: The reason, without any text of the body; nil to derive it from the type of the error.
    package func decodingFailure(
        _ error: any Error, body: Bytes?, excerpt: String? = nil, message: String? = nil
    ) -> SockeyeError {
        let path = (error as? DecodingError)?.codingPath ?? []
        var fields = SockeyeError.Fields(
            .decodingFailed, phase: .decode, blame: .peer,
            message: text(of: error, isEmpty: body?.isEmpty == true || error is EmptyBodyError, otherwise: message))
        fields.underlying = error
        if let body { fields.response = evidence(body: body) }
        if !path.isEmpty || excerpt != nil { fields.decoding = .init(codingPath: path.pathText(), excerpt: excerpt) }
        return SockeyeError(fields).about(request)
    }

    /// Translates an error that was thrown while the body was converted.
    func conversionFailure(_ error: any Error, body: Bytes) -> SockeyeError {
        switch error {
        case let error as SockeyeError: error.about(request)
        case is CancellationError: cancellation
        default: decodingFailure(error, body: body)
        }
    }

    /// The error of a call that was cancelled during the conversion of the body.
    package var cancellation: SockeyeError {
        SockeyeError(.init(.cancelled, phase: .decode, blame: .caller, message: "the task was cancelled")).about(
            request)
    }

    /// The message for a body in a content coding that was not decoded; nil for other bodies.
    private var codedBodyMessage: String? {
        guard let coding = self[.contentEncoding], !ContentCoding.isIdentity(coding) else { return nil }
        return "the body has a content coding that was not decoded"
    }

    /// Returns the message. If the error has an unknown type, such as the caller's own, and `otherwise` is nil, the
    /// message contains the start of the error's description.
    private func text(of error: any Error, isEmpty: Bool, otherwise: String?) -> String {
        let text = Self.message(of: error)
        let isUnknown = text == nil && otherwise == nil && !(error is EmptyBodyError)
        let own = isUnknown ? "\(error)".start(ofScalars: 256) : nil
        guard let place = isEmpty ? "the body is empty, but a value is required" : codedBodyMessage else {
            return otherwise ?? text ?? "the serializer failed: \(own ?? "")"
        }
        return own.map { "\(place): \($0)" } ?? place
    }

    /// Returns a message without any text of the body; nil for unknown errors, such as the caller's own.
    private static func message(of error: any Error) -> String? {
        switch error {
        case DecodingError.dataCorrupted(let context) where context.underlyingError is JSONError:
            // `JSONGuard` rejected the body before the decoder read it.
            let cause = context.underlyingError as? JSONError
            return "the body is not acceptable JSON: " + (cause.map(Self.place) ?? "it cannot be read")
        case let error as DecodingError:
            let path = error.codingPath.pathText(discreet: true)
            return "the body does not match the requested type: \(error.summary)" + (path.isEmpty ? "" : " at \(path)")
        case let error as JSONError:
            return "the body is not acceptable JSON: \(error.kind) at line \(error.line), column \(error.column)"
        case let error as any ContentFormatError:
            return "the body is not an acceptable \(error.contentFormat): \(error)"
        default: return nil
        }
    }

    private static func place(_ error: JSONError) -> String {
        "\(error.message) at line \(error.line), column \(error.column)"
    }
}

/// A parser's error. Its description contains no parsed text, so messages and logs may include the description.
package protocol ContentFormatError: Error, CustomStringConvertible {
    /// The expected format of the content, such as `image`.
    var contentFormat: String { get }
}

extension DecodingError {
    /// The context of the standard cases; nil for unknown ones.
    private var context: Context? {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context
        @unknown default: nil
        }
    }

    var codingPath: [any CodingKey] { context?.codingPath ?? [] }

    /// The reason, without any text of the body.
    var summary: String {
        switch self {
        case .typeMismatch(let type, _): "not a value of type \(type)"
        case .valueNotFound(let type, _): "a value of type \(type) is missing or null"
        case .keyNotFound(let key, _): "\(key.isWrittenInCode ? "the key '\(key.stringValue)'" : "a key") is missing"
        case .dataCorrupted: "invalid data"
        @unknown default: "not decodable"
        }
    }
}

extension Collection<any CodingKey> {
    /// The path as text, such as `items[3].name`.
    ///
    /// - Parameter discreet: True to write `*` for keys that come from the body, such as those of a dictionary.
    func pathText(discreet: Bool = false) -> String {
        var text = ""
        for key in self {
            if let index = key.intValue, [String(index), "Index \(index)"].contains(key.stringValue) {
                text += "[\(index)]"
            } else {
                text += (text.isEmpty ? "" : ".") + (discreet && !key.isWrittenInCode ? "*" : key.stringValue)
            }
        }
        return text.start(ofScalars: 256)
    }
}

extension CodingKey {
    /// True if the key is an enum case without payload, like the `CodingKeys` of a type. Other keys may come from the
    /// data.
    fileprivate var isWrittenInCode: Bool {
        let mirror = Mirror(reflecting: self)
        return mirror.displayStyle == .enum && mirror.children.isEmpty
    }
}
