/// All that goes into the head of one request. Strings are shared with the caller, nothing is copied.
package struct RequestHead: Sendable {
    package var method: String
    package var kind: MethodKind
    /// What stands in the request line: origin-form, absolute-form for a proxy, authority-form for CONNECT or `*`.
    package var target: Substring.UTF8View
    /// The value of Host unless `headers` has one: no userinfo, no default port, brackets around IPv6.
    package var authority: Substring.UTF8View
    /// The caller's fields.
    package var headers: Headers
    /// The client's fields, each sent only when `headers` has none of that name.
    package var defaults: Headers
    package var body: RequestFraming
    /// Sends `Connection: close`.
    package var closesConnection: Bool
    /// Sends `Expect: 100-continue`, provided there is a body.
    package var expectsContinue: Bool
    /// The protocols to offer, such as `websocket`; sends Upgrade and `Connection: upgrade`.
    package var upgrade: String?

    package init(
        method: String,
        kind: MethodKind? = nil,
        target: Substring.UTF8View,
        authority: Substring.UTF8View,
        headers: Headers = Headers(),
        defaults: Headers = Headers(),
        body: RequestFraming = .none,
        closesConnection: Bool = false,
        expectsContinue: Bool = false,
        upgrade: String? = nil
    ) {
        self.method = method
        self.kind = kind ?? MethodKind(method)
        self.target = target
        self.authority = authority
        self.headers = headers
        self.defaults = defaults
        self.body = body
        self.closesConnection = closesConnection
        self.expectsContinue = expectsContinue
        self.upgrade = upgrade
    }
}
