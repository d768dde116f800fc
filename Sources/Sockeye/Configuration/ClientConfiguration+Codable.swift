import SockeyeCore

extension ClientConfiguration: Codable {
    private enum CodingKeys: CodingKey {
        case tls, tlsOverrides, timeouts, limits, tolerances, pool, socket, decompresses, userAgent, hostOverrides
        case resolverCacheLifetime, addressPolicy, proxy, allowsPlaintextCredentials, runningTasks, pollerThreads
    }

    /// Reads a configuration, such as a file of settings; what is missing is the default.
    ///
    /// Durations are numbers of seconds, and null where nil means something: no deadline, no limit.
    public init(from decoder: any Decoder) throws {
        self.init()
        let container = try decoder.container(keyedBy: CodingKeys.self)
        try container.read(.tls, into: &tls)
        try container.read(.tlsOverrides, into: &tlsOverrides)
        try container.read(.timeouts, into: &timeouts)
        try container.read(.limits, into: &limits)
        try container.read(.tolerances, into: &tolerances)
        try container.read(.pool, into: &pool)
        try container.read(.socket, into: &socket)
        try container.read(.decompresses, into: &decompresses)
        try container.read(.userAgent, into: &userAgent)
        try container.read(.hostOverrides, into: &hostOverrides)
        try container.read(.resolverCacheLifetime, into: &resolverCacheLifetime)
        try container.read(.addressPolicy, into: &addressPolicy)
        try container.read(.proxy, into: &proxy)
        try container.read(.allowsPlaintextCredentials, into: &allowsPlaintextCredentials)
        try container.read(.runningTasks, into: &runningTasks)
        try container.read(.pollerThreads, into: &pollerThreads)
    }

    /// Writes the configuration.
    ///
    /// - Throws: `EncodingError.invalidValue` for what cannot be archived: ``interceptors``, ``monitors``, a ``resolver``, an ``addressPolicy`` or
    ///   a ``proxy`` that is a closure, a proxy with credentials, a private key in memory, a passphrase.
    public func encode(to encoder: any Encoder) throws {
        guard resolver == nil else {
            throw EncodingError.unarchivable("a resolver cannot be archived", at: encoder.codingPath)
        }
        guard interceptors.isEmpty, monitors.isEmpty else {
            throw EncodingError.unarchivable("interceptors and monitors cannot be archived", at: encoder.codingPath)
        }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(tls, forKey: .tls)
        if !tlsOverrides.isEmpty { try container.encode(tlsOverrides, forKey: .tlsOverrides) }
        try container.encode(timeouts, forKey: .timeouts)
        try container.encode(limits, forKey: .limits)
        if !tolerances.isEmpty { try container.encode(tolerances, forKey: .tolerances) }
        try container.encode(pool, forKey: .pool)
        try container.encode(socket, forKey: .socket)
        try container.encode(decompresses, forKey: .decompresses)
        try container.encode(userAgent, forKey: .userAgent)
        try container.encode(hostOverrides, forKey: .hostOverrides)
        try container.write(resolverCacheLifetime, .resolverCacheLifetime)
        try container.encode(addressPolicy, forKey: .addressPolicy)
        try container.encode(proxy, forKey: .proxy)
        try container.encode(allowsPlaintextCredentials, forKey: .allowsPlaintextCredentials)
        try container.encodeIfPresent(runningTasks, forKey: .runningTasks)
        try container.encode(pollerThreads, forKey: .pollerThreads)
    }
}
