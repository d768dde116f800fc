import HTTPTypes

extension HTTPResponse.Status {
    /// The status with the reason phrase of the registry; a code outside 100...999 becomes 500.
    static func known(_ code: Int) -> HTTPResponse.Status {
        guard (100...999).contains(code) else { return .internalServerError }
        return table[code] ?? HTTPResponse.Status(code: code)
    }

    private static let table: [Int: HTTPResponse.Status] = {
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
        return Dictionary(uniqueKeysWithValues: known.map { ($0.code, $0) })
    }()
}
