package import HTTPTypes

extension HTTPResponse.Status {
    /// The status of a code, with the registered reason phrase (RFC 9110 15) if swift-http-types has a constant for the
    /// code. Other codes get the name of their class as the reason phrase, or `Unknown` outside of 100 to 599. With an
    /// empty reason phrase, `description` would end in a blank.
    package static func withCode(_ code: Int) -> HTTPResponse.Status {
        if let status = registered(code) { return status }
        let name =
            switch code {
            case 100...199: "Informational"
            case 200...299: "Successful"
            case 300...399: "Redirection"
            case 400...499: "Client Error"
            case 500...599: "Server Error"
            default: "Unknown"
            }
        return HTTPResponse.Status(code: code, reasonPhrase: name)
    }

    /// The constant of swift-http-types for a code, with its reason phrase; nil for other codes, such as 207.
    package static func registered(_ code: Int) -> HTTPResponse.Status? {
        // The fast path: every call of the client reads the status, and for most it is 200.
        if code == 200 { return .ok }
        return table.indices.contains(code - 100) ? table[code - 100] : nil
    }

    /// The constants of swift-http-types by code, from 100 to 599.
    private static let table: [HTTPResponse.Status?] = {
        let known: [HTTPResponse.Status] = [
            .continue, .switchingProtocols, .earlyHints, .ok, .created, .accepted, .nonAuthoritativeInformation,
            .noContent, .resetContent, .partialContent, .multipleChoices, .movedPermanently, .found, .seeOther,
            .notModified, .temporaryRedirect, .permanentRedirect, .badRequest, .unauthorized, .forbidden, .notFound,
            .methodNotAllowed, .notAcceptable, .proxyAuthenticationRequired, .requestTimeout, .conflict, .gone,
            .lengthRequired, .preconditionFailed, .contentTooLarge, .uriTooLong, .unsupportedMediaType,
            .rangeNotSatisfiable, .expectationFailed, .misdirectedRequest, .unprocessableContent, .tooEarly,
            .upgradeRequired, .preconditionRequired, .tooManyRequests, .requestHeaderFieldsTooLarge,
            .unavailableForLegalReasons, .internalServerError, .notImplemented, .badGateway, .serviceUnavailable,
            .gatewayTimeout, .httpVersionNotSupported, .networkAuthenticationRequired,
        ]
        var table = [HTTPResponse.Status?](repeating: nil, count: 500)
        for status in known { table[status.code - 100] = status }
        return table
    }()
}
