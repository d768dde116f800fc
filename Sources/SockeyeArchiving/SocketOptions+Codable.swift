public import SockeyeNet

extension SocketOptions: Codable {
    private static let archive = Archive<Self>(
        .value("noDelay", \.noDelay), .value("keepAlive", \.keepAlive), .seconds("userTimeout", \.userTimeout),
        .value("localAddress", \.localAddress).written { $0.localAddresses.count <= 1 },
        .value("localAddresses", \.localAddresses).written { $0.localAddresses.count > 1 },
        .optional("interface", \.interface), .optional("proxyProtocol", \.proxyProtocol),
        .value("fastOpen", \.fastOpen, unless: false), .value("multipath", \.multipath, unless: false),
        .value("sendBufferSize", \.sendBufferSize),
        .value("receiveBufferSize", \.receiveBufferSize))

    /// Reads options, with durations in seconds. Missing options take their defaults; null disables an option.
    public init(from decoder: any Decoder) throws {
        self = try Self.archive.read(from: decoder, over: Self())
    }

    /// Writes options, with durations in seconds.
    public func encode(to encoder: any Encoder) throws { try Self.archive.write(self, to: encoder) }
}

extension SocketOptions.KeepAlive: Codable {
    private static let archive = Archive<Self>(
        .seconds("idle", \.idle), .seconds("interval", \.interval), .value("count", \.count))

    /// Reads timings, with durations in seconds. Missing timings take their defaults.
    public init(from decoder: any Decoder) throws {
        self = try Self.archive.read(from: decoder, over: Self())
    }

    /// Writes timings, with durations in seconds.
    public func encode(to encoder: any Encoder) throws { try Self.archive.write(self, to: encoder) }
}

extension SocketOptions.ProxyHeader: Codable {
    private static let archive = Archive<Self>(.value("version", \.version), .optional("source", \.source))

    /// Reads the version of the PROXY protocol, 1 or 2, and the source address to announce. A missing version is 1; a
    /// missing source is the connection's own address.
    public init(from decoder: any Decoder) throws {
        self = try Self.archive.read(from: decoder, over: .v1)
    }

    /// Writes the version and the source address.
    public func encode(to encoder: any Encoder) throws { try Self.archive.write(self, to: encoder) }
}

/// Archived as its raw value.
extension SocketOptions.ProxyHeader.Version: Codable {}

extension EndpointAddress: Codable {
    /// Reads an address in the format of `description`: `192.0.2.1:80`, `[2001:db8::1]:443`, `unix:/path`, or
    /// `unix:@name` for Linux's abstract namespace (unix(7)).
    public init(from decoder: any Decoder) throws {
        guard let address = EndpointAddress(archived: try decoder.text()) else {
            throw DecodingError.unknown("socket address", at: decoder.codingPath)
        }
        self = address
    }

    private init?(archived text: String) {
        if text.hasPrefix("unix:@") {
            self.init(unixPath: "\0" + text.dropFirst(6))
        } else if text.hasPrefix("unix:") {
            self.init(unixPath: String(text.dropFirst(5)))
        } else {
            guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]) else {
                return nil
            }
            let host = text[..<colon]
            let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
            self.init(literal: String(isBracketed ? host.dropFirst().dropLast() : host), port: port)
        }
    }

    /// Writes the address as text.
    public func encode(to encoder: any Encoder) throws {
        let text = description
        // A relative path that begins with `@` would be read back as a name in the abstract namespace.
        let isPath = text.hasPrefix("unix:@") && EndpointAddress(archived: text) != self
        try encoder.write(text: isPath ? "unix:./" + text.dropFirst("unix:".count) : text)
    }
}

extension EndpointAddress.Order: Codable {
    private static let names: [(name: String, value: EndpointAddress.Order)] = [
        ("asResolved", .asResolved), ("rotated", .rotated), ("shuffled", .shuffled),
    ]

    /// Reads `asResolved`, `rotated` or `shuffled`.
    public init(from decoder: any Decoder) throws {
        self = try decoder.value(named: Self.names, kind: "order of addresses")
    }

    /// Writes the name of the order.
    public func encode(to encoder: any Encoder) throws {
        try encoder.write(text: Self.names.first { $0.value == self }?.name ?? "asResolved")
    }
}

extension EndpointAddress.Policy: Codable {
    /// Reads `any` or `publicOnly`.
    public init(from decoder: any Decoder) throws {
        self = try decoder.value(named: [("any", .any), ("publicOnly", .publicOnly)], kind: "address policy")
    }

    /// Writes the name of the policy.
    ///
    /// - Throws: `EncodingError.invalidValue` for a closure.
    public func encode(to encoder: any Encoder) throws {
        guard let name else { throw EncodingError.unarchivable("the policy is a closure", at: encoder.codingPath) }
        try encoder.write(text: name)
    }
}

extension Proxy.Selection: Codable {
    /// Reads `none`, `environment`, or the URL of a proxy.
    public init(from decoder: any Decoder) throws {
        switch try decoder.text() {
        case "none": self = .none
        case "environment": self = .environment
        case let url: self = .init(choice: .fixed(.success(try Proxy(url))))
        }
    }

    /// Writes the name of the choice, or the URL of the proxy.
    ///
    /// - Throws: `EncodingError.invalidValue` for a closure, for a proxy with credentials or with settings that its URL
    ///   does not express, and for an invalid proxy.
    public func encode(to encoder: any Encoder) throws {
        switch choice {
        case .none: try encoder.write(text: "none")
        case .environment: try encoder.write(text: "environment")
        case .fixed(.success(let proxy)) where !proxy.hasCredentials && proxy.isDefinedByURL:
            try encoder.write(text: proxy.description)
        case .fixed:
            throw EncodingError.unarchivable(
                "only a valid proxy without credentials and without settings beyond its URL can be archived",
                at: encoder.codingPath)
        case .choosing, .routing:
            throw EncodingError.unarchivable("the proxy is chosen by a closure", at: encoder.codingPath)
        }
    }
}
