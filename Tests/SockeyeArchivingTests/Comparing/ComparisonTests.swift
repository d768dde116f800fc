import Sockeye
import SockeyeNet
import Testing

@testable import SockeyeEngine
@testable import SockeyeHTTP

#if XML
import SockeyeXML
#endif

/// The stored properties of a type with a handwritten `==`, with a different value for each.
struct ComparisonTable<Value: Hashable> {
    enum Property {
        /// A value that differs from the standard one in this property only.
        case compared(String, Value)
        /// A property that is not compared, such as one derived from others.
        case ignored(String)

        var name: String {
            switch self {
            case .compared(let name, _), .ignored(let name): name
            }
        }
    }

    private let makeStandard: () throws -> Value
    private let properties: [Property]

    init(_ standard: @autoclosure @escaping () throws -> Value, _ properties: Property...) {
        makeStandard = standard
        self.properties = properties
    }

    /// Expects an entry for each stored property, and equality if and only if all compared properties are equal.
    func expectComparison(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let names = StoredProperties.names(of: Value.self)
        #expect(names == Set(properties.map(\.name)), "\(Value.self)", sourceLocation: sourceLocation)
        let (standard, same) = (try makeStandard(), try makeStandard())
        #expect(standard == same && standard.hashValue == same.hashValue, sourceLocation: sourceLocation)
        for case .compared(let name, let value) in properties {
            #expect(value != standard && standard != value, "\(Value.self).\(name)", sourceLocation: sourceLocation)
        }
    }
}

@Suite("Types with a handwritten == operator")
struct ComparisonTests {
    @Test("Pool keys are unequal if any property differs, so that requests share no connection by mistake")
    func poolKeys() throws {
        let usual = DialerID()
        func key(
            host: String = "a.test", path: String? = nil, proxy: Proxy? = nil, dialer: DialerID? = nil, tls: Int = 0
        ) -> PoolKey {
            PoolKey(
                origin: HTTPURL.Origin(scheme: .http, host: host, port: 80), unixSocketPath: path, proxy: proxy,
                dialer: dialer ?? usual, tls: tls)
        }
        try ComparisonTable(
            key(), .compared("origin", key(host: "b.test")), .compared("unixSocketPath", key(path: "/a")),
            .compared("proxy", key(proxy: Proxy("http://p.test"))), .compared("dialer", key(dialer: DialerID())),
            .compared("tls", key(tls: 1))
        ).expectComparison()
        func origin(
            _ scheme: HTTPURL.Origin.Scheme = .http, host: String = "fe80::1", port: UInt16 = 80, zone: String? = nil
        ) -> HTTPURL.Origin {
            HTTPURL.Origin(scheme: scheme, host: host, port: port, zone: zone)
        }
        try ComparisonTable(
            origin(), .compared("scheme", origin(.https)), .compared("host", origin(host: "a.test")),
            .compared("portNumber", origin(port: 81)), .compared("zone", origin(zone: "eth0"))
        ).expectComparison()
    }

    @Test("Proxies are unequal if address, credentials, TLS or tunnels differ")
    func proxies() throws {
        let url = "http://p.test:3128"
        try ComparisonTable(
            try Proxy(url), .compared("kind", Proxy("https://p.test:3128")),
            .compared("address", Proxy("http://q.test:3128")),
            .compared("tls", Proxy(url, tls: TLSOptions(verification: .chainOnly))),
            .compared("authenticator", Proxy(url, authentication: .credential(.user("a", password: "b")))),
            .compared("connectHeaders", Proxy(url) { _ in [:] }), .compared("tunnelsAll", Proxy(url).tunneling),
            .compared("callersAuthorization", Proxy(url).authorized(by: "Basic YTpi"))
        ).expectComparison()
    }

    @Test("Cookies are unequal if the name, the value or an attribute differs")
    func cookies() throws {
        func content(
            name: String = "a", value: String = "b", domain: String = "a.test", isHostOnly: Bool = false,
            path: String = "/", isSecure: Bool = false, isHTTPOnly: Bool = false,
            sameSite: ClientCookie.SameSite? = nil, expiration: Int64? = nil
        ) -> CookieContent {
            CookieContent(
                name: name, value: value, domain: domain, isHostOnly: isHostOnly, path: path, isSecure: isSecure,
                isHTTPOnly: isHTTPOnly, sameSite: sameSite, expiration: expiration)
        }
        try ComparisonTable(
            content(), .compared("name", content(name: "c")), .compared("value", content(value: "c")),
            .compared("domain", content(domain: "b.test")), .compared("isHostOnly", content(isHostOnly: true)),
            .compared("path", content(path: "/a")), .compared("isSecure", content(isSecure: true)),
            .compared("isHTTPOnly", content(isHTTPOnly: true)), .compared("sameSite", content(sameSite: .lax)),
            .compared("expiration", content(expiration: 1))
        ).expectComparison()
    }

    #if XML
    @Test("XML elements are unequal if tag or content differs")
    func elements() throws {
        let tag = XMLEvent.Tag(XMLEvent.Name("a"))
        let other = XMLEvent.Tag(XMLEvent.Name("a"), attributes: [XMLEvent.Attribute(XMLEvent.Name("b"), "c")])
        try ComparisonTable(
            XMLDocument.Element(tag), .compared("tag", XMLDocument.Element(other)),
            .compared("children", XMLDocument.Element(tag, children: [.text("b")]))
        ).expectComparison()
    }
    #endif

    @Test("Errors of TLS are unequal if any property except trust differs")
    func failures() throws {
        try ComparisonTable(
            TLSError(reason: .other, message: "a", verifyCode: 1),
            .compared("reason", TLSError(reason: .alert, message: "a", verifyCode: 1)),
            .compared("message", TLSError(reason: .other, message: "b", verifyCode: 1)),
            .compared("verifyCode", TLSError(reason: .other, message: "a", verifyCode: 2)), .ignored("trust")
        ).expectComparison()
    }
}
