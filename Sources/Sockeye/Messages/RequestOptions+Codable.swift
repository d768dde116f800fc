import SockeyeCore
public import SockeyeEngine

extension RequestOptions: Codable {
    private enum CodingKeys: CodingKey {
        case tls, timeouts, compression, bodyLimit, expectContinue, decompresses, unixSocketPath, isIdempotent
        case closesConnection, handlesCookies, tolerances
    }

    /// Reads options; what is missing is left to the client.
    public init(from decoder: any Decoder) throws {
        self.init()
        let container = try decoder.container(keyedBy: CodingKeys.self)
        try container.read(.tls, into: &tls)
        try container.read(.timeouts, into: &timeouts)
        try container.read(.compression, into: &compression)
        try container.read(.bodyLimit, into: &bodyLimit)
        try container.read(.expectContinue, into: &expectContinue)
        try container.read(.decompresses, into: &decompresses)
        try container.read(.unixSocketPath, into: &unixSocketPath)
        try container.read(.isIdempotent, into: &isIdempotent)
        try container.read(.closesConnection, into: &closesConnection)
        try container.read(.handlesCookies, into: &handlesCookies)
        try container.read(.tolerances, into: &tolerances)
    }

    /// Writes what is set.
    ///
    /// - Throws: `EncodingError.invalidValue` if ``onInterim`` or ``onBodyProgress`` is, which are closures, or
    ///   ``interceptors``.
    public func encode(to encoder: any Encoder) throws {
        guard interceptors.isEmpty else {
            throw EncodingError.unarchivable("interceptors cannot be archived", at: encoder.codingPath)
        }
        guard onInterim == nil, onBodyProgress == nil else {
            throw EncodingError.unarchivable("an option is a closure", at: encoder.codingPath)
        }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(tls, forKey: .tls)
        try container.encodeIfPresent(timeouts, forKey: .timeouts)
        try container.encodeIfPresent(compression, forKey: .compression)
        try container.encodeIfPresent(bodyLimit, forKey: .bodyLimit)
        try container.encodeIfPresent(expectContinue.map { ArchivedDuration($0) }, forKey: .expectContinue)
        try container.encodeIfPresent(decompresses, forKey: .decompresses)
        try container.encodeIfPresent(unixSocketPath, forKey: .unixSocketPath)
        try container.encodeIfPresent(isIdempotent, forKey: .isIdempotent)
        if closesConnection { try container.encode(true, forKey: .closesConnection) }
        try container.encodeIfPresent(tolerances, forKey: .tolerances)
        if !handlesCookies { try container.encode(false, forKey: .handlesCookies) }
    }
}
